import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../common/auth/access.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { AdminPaging } from '../../common/http/paging.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { StandingService } from '../users/standing.service.js';
import { UsersService } from '../users/users.service.js';
import { User, UserPath, UserStanding } from '../users/users.shapes.js';

@ApiTags('admin')
@Controller('api/v1/admin')
export class AdminUsersController {
  constructor(
    private readonly users: UsersService,
    private readonly standing: StandingService,
    private readonly accounts: AccountsService,
  ) {}

  @Get('users')
  @AdminOnly()
  @Answers(200, [User], 'List users, newest first')
  list(@Query() paging: AdminPaging): Promise<User[]> {
    return this.users.list(paging);
  }

  // Not shown: how there comes to be another admin.
  @Put('users/:user_uuid')
  @AdminOnly()
  @Answers(200, User, "Change a user's role, or whether the account can be deleted")
  @Refuses({ not_found: 'No such user', conflict: 'The last admin' })
  change(@Param() { user_uuid }: UserPath, @Body() standing: UserStanding): Promise<User> {
    return this.standing.change(user_uuid, standing);
  }

  @Delete('users/:user_uuid')
  @AdminOnly()
  @Answers(204, undefined, 'Delete a user')
  @Refuses({
    forbidden: 'The account cannot be deleted',
    not_found: 'No such user',
    conflict: 'The last admin of the service or of an organization',
  })
  remove(@Param() { user_uuid }: UserPath): Promise<void> {
    return this.accounts.remove(user_uuid);
  }
}
