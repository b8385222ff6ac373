import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer, OpenUnderContract, Public } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity, MaybeCaller } from '../../platform/auth/caller.js';
import { RecentLogin } from '../../platform/auth/recent-login.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { IfMatch, TakesIfMatch, Versioned } from '../../platform/http/if-match.js';
import { Cacheable } from '../../platform/cache/cacheable.js';
import { membership } from './user-cache-tags.js';
import { UserListsService } from './user-lists.service.js';
import { UsersService } from './users.service.js';
import { User, UserDetail, UserPaging, UserPath, UserPublic, UserUpdate } from './users.dto.js';

@ApiTags('users')
@Controller('api/v1/users/')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly lists: UserListsService,
  ) {}

  @Get()
  @Public()
  @Cacheable(() => [membership])
  @CountsTotal()
  @Answers(200, [UserPublic], 'List users', 'Only ids and names, for everybody. A page has at most 1,000 entries.')
  list(@Query() paging: UserPaging): Promise<UserPublic[]> {
    return this.lists.listPublic(paging);
  }

  @Get('me/profile')
  @Bearer()
  @Versioned()
  @Answers(200, User, "Get the caller's profile", 'The same as GET /api/v1/auth/me.')
  profile(@Caller() caller: CallerIdentity): Promise<User> {
    return this.users.me(caller);
  }

  @Put('me/profile')
  @Bearer()
  @RecentLogin({ only: 'hardened', checkedBy: 'service' })
  @Answers(
    200,
    User,
    "Update the caller's profile",
    'Omitted fields stay as they are, and null clears a name, the picture or the bio. Only an admin may change ' +
      'the role.',
  )
  @TakesIfMatch()
  @Refuses({
    forbidden: ['admin_only'],
    conflict: ['email_taken', 'last_admin'],
    precondition_failed: ['changed_meanwhile'],
  })
  update(
    @Caller() caller: CallerIdentity,
    @Body() changes: UserUpdate,
    @IfMatch() ifMatch: string | null,
  ): Promise<User> {
    return this.users.updateProfile(caller, changes, ifMatch);
  }

  @Get(':user_uuid')
  @OpenUnderContract('bearer')
  @Answers(
    200,
    UserDetail,
    'Get a user',
    'Under the hardened access policy, this requires a login, and everybody but the owner and admins sees no ' +
      'credit and a masked e-mail address.',
  )
  @Refuses({ not_found: ['not_found'] })
  get(@Param() { user_uuid }: UserPath, @MaybeCaller() caller: CallerIdentity | null): Promise<UserDetail> {
    return this.users.get(user_uuid, caller);
  }
}
