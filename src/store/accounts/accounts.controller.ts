import { Controller, Delete } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer } from '../../common/auth/access.js';
import { Caller, type CallerIdentity } from '../../common/auth/caller.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { AccountsService } from './accounts.service.js';
import { AccountDeleted } from './accounts.shapes.js';

@ApiTags('users')
@Controller('api/v1/users')
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Delete('me/profile')
  @Bearer()
  @Answers(200, AccountDeleted, "Delete the caller's account")
  @Refuses({
    forbidden: 'The account cannot be deleted',
    not_found: 'It is gone already',
    conflict: 'The last admin of the service or of an organization',
  })
  remove(@Caller() caller: CallerIdentity): Promise<AccountDeleted> {
    return this.accounts.removeOwn(caller);
  }
}
