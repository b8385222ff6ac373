import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { RecentLogin } from '../../platform/auth/recent-login.js';
import { PersonOnly, Scope } from '../../platform/auth/scopes.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { TotpService } from '../totp/totp.service.js';
import { AccountStateService } from '../users/account-state.service.js';
import { AccountStateUpdate, User, UserFilter, UserPath } from '../users/users.dto.js';
import { Customer } from './customers.dto.js';
import { CustomersService } from './customers.service.js';

@ApiTags('admin')
@Controller('api/v1/admin')
export class AdminUsersController {
  constructor(
    private readonly customers: CustomersService,
    private readonly accountState: AccountStateService,
    private readonly accounts: AccountsService,
    private readonly totp: TotpService,
    private readonly sessions: SessionsService,
  ) {}

  @Get('users')
  @AdminOnly()
  @Scope('customers:read')
  @CountsTotal()
  @Answers(
    200,
    [Customer],
    'List users, newest first',
    'Accounts with everything but their passwords, and with what they bought.',
  )
  list(@Query() filter: UserFilter): Promise<Customer[]> {
    return this.customers.list(filter);
  }

  // Unspecified: how another account becomes an admin.
  @Put('users/:user_uuid')
  @AdminOnly()
  @PersonOnly()
  @RecentLogin()
  @Answers(
    200,
    User,
    "Change a user's role, suspend the account, or protect it from deletion",
    'A new role ends the tokens of the account. `suspended: true` signs the owner out on all nodes, and prevents ' +
      'logins until it is `false` again; the owner gets a mail. API keys belong to their organization, and stay ' +
      'valid. The last admin stays an admin.',
  )
  @Refuses({ not_found: ['not_found'], conflict: ['last_admin'] })
  @Examples({ user_uuid: demo('otherUser') })
  change(@Param() { user_uuid }: UserPath, @Body() update: AccountStateUpdate): Promise<User> {
    return this.accountState.change(user_uuid, update);
  }

  // Unspecified: an account whose owner has lost both device and recovery codes.
  @Post('users/:user_uuid/totp/reset')
  @AdminOnly()
  @PersonOnly()
  @RecentLogin()
  @Answers(
    204,
    undefined,
    "Turn off a user's two-factor login",
    'For an owner who has lost both device and recovery codes, after you have verified who asks: the next login ' +
      'takes only the password. The owner gets a mail.',
  )
  @Refuses({ not_found: ['not_found'], conflict: ['totp_not_enabled'] })
  @Examples({ user_uuid: demo('otherUser') })
  resetTotp(@Param() { user_uuid }: UserPath): Promise<void> {
    return this.totp.reset(user_uuid);
  }

  // Unspecified: how an admin helps somebody whose tokens were stolen.
  @Delete('users/:user_uuid/sessions')
  @AdminOnly()
  @PersonOnly()
  @RecentLogin()
  @Answers(
    204,
    undefined,
    'Sign a user out everywhere',
    'Ends all sessions and access tokens of the account, and mails its owner, who can sign in again.',
  )
  @Refuses({ not_found: ['not_found'] })
  @Examples({ user_uuid: demo('otherUser') })
  endSessions(@Param() { user_uuid }: UserPath): Promise<void> {
    return this.sessions.signOutUser(user_uuid);
  }

  @Delete('users/:user_uuid')
  @AdminOnly()
  @PersonOnly()
  @RecentLogin({ only: 'hardened' })
  @Answers(
    204,
    undefined,
    'Delete a user',
    'Ends all tokens of the account and removes its personal data; its orders stay. The last admin and protected ' +
      'accounts cannot be deleted. If the account was the last admin of an organization, the longest-serving ' +
      'member becomes its admin; without other members, the organization is deleted as well.',
  )
  @Refuses({
    forbidden: ['cannot_be_deleted'],
    not_found: ['not_found'],
    conflict: ['last_admin', 'last_admin_of_organization'],
  })
  @Examples({ user_uuid: demo('otherUser') })
  remove(@Param() { user_uuid }: UserPath, @Caller() caller: CallerIdentity): Promise<void> {
    return this.accounts.remove(user_uuid, caller);
  }
}
