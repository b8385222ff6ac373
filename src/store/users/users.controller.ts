import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer, OpenUnderContract, Public } from '../../common/auth/access.js';
import { Caller, type CallerIdentity, MaybeCaller } from '../../common/auth/caller.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { Cacheable } from '../../common/public-reads/cacheable.js';
import { membership } from './user-topics.js';
import { UsersService } from './users.service.js';
import { User, UserDetail, UserPaging, UserPath, UserPublic, UserUpdate } from './users.shapes.js';

@ApiTags('users')
@Controller('api/v1/users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get('/')
  @Public()
  @Cacheable(() => [membership])
  @Answers(200, [UserPublic], 'List users')
  list(@Query() paging: UserPaging): Promise<UserPublic[]> {
    return this.users.listPublic(paging);
  }

  @Get('me/profile')
  @Bearer()
  @Answers(200, User, "Get the caller's profile")
  profile(@Caller() caller: CallerIdentity): Promise<User> {
    return this.users.me(caller);
  }

  @Put('me/profile')
  @Bearer()
  @Answers(200, User, "Update the caller's profile")
  @Refuses({ forbidden: 'Another role, not sent by an admin', conflict: 'The e-mail is taken; the last admin' })
  update(@Caller() caller: CallerIdentity, @Body() changes: UserUpdate): Promise<User> {
    return this.users.updateProfile(caller, changes);
  }

  @Get(':user_uuid')
  @OpenUnderContract('bearer')
  @Answers(200, UserDetail, 'Get a user')
  @Refuses({ not_found: 'No such user' })
  get(@Param() { user_uuid }: UserPath, @MaybeCaller() caller: CallerIdentity | null): Promise<UserDetail> {
    return this.users.get(user_uuid, caller);
  }
}
