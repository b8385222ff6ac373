import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { RecentLogin } from '../../platform/auth/recent-login.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { SessionsService } from './sessions.service.js';
import { Session, SessionPath } from './sessions.dto.js';

@ApiTags('sessions')
@Controller('api/v1/users/me')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get('sessions')
  @Bearer()
  @Answers(
    200,
    [Session],
    'List your sessions',
    'Where the caller is signed in: one entry per login, the last used first, at most 50.',
  )
  list(@Caller() caller: CallerIdentity): Promise<Session[]> {
    return this.sessions.list(caller);
  }

  @Delete('sessions/:session_id')
  @Bearer()
  @RecentLogin({ checkedBy: 'service' })
  @Answers(
    204,
    undefined,
    'Sign out one session',
    'Its refresh token and its access tokens end at once; on other nodes of the service within two seconds.',
  )
  @Refuses({ not_found: ['not_found'] })
  end(@Caller() caller: CallerIdentity, @Param() { session_id }: SessionPath): Promise<void> {
    return this.sessions.end(caller, session_id);
  }

  // Unspecified: whether the caller stays signed in. "Everywhere" is what people mean when they fear an intruder; a client
  // that wants to stay ends the others one by one, or changes the password.
  @Delete('sessions')
  @Bearer()
  @RecentLogin()
  @Answers(
    204,
    undefined,
    'Sign out everywhere',
    'Ends all sessions and access tokens of the caller, including those of this request.',
  )
  endAll(@Caller() { id }: CallerIdentity): Promise<void> {
    return this.sessions.signOutEverywhere(id);
  }
}
