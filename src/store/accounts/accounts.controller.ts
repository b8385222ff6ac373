import { Controller, Delete } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { RecentLogin } from '../../platform/auth/recent-login.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { AccountsService } from './accounts.service.js';
import { AccountDeleted } from './accounts.dto.js';

@ApiTags('users')
@Controller('api/v1/users')
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Delete('me/profile')
  @Bearer()
  @RecentLogin({ only: 'hardened' })
  @Answers(
    200,
    AccountDeleted,
    "Delete the caller's account",
    'Ends all tokens and removes personal data, the cart, reviews and testimonials. Orders stay, with their ' +
      'address until they are delivered. Username and e-mail address can be used again.',
  )
  @Refuses({
    forbidden: ['cannot_be_deleted'],
    not_found: ['not_found'],
    conflict: ['last_admin', 'last_admin_of_organization'],
  })
  remove(@Caller() caller: CallerIdentity): Promise<AccountDeleted> {
    return this.accounts.removeOwn(caller);
  }
}
