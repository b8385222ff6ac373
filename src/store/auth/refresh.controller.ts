import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public, TokenOptional } from '../../platform/auth/access.js';
import { type CallerIdentity, CallerOrRefusal } from '../../platform/auth/caller.js';
import type { Unauthenticated } from '../../platform/errors/errors.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { RefreshRequest, Token } from './auth.dto.js';
import { RefreshService } from './refresh.service.js';

// Unspecified: sessions that outlive an access token. Clients that do not know them sign in again, as before.
@ApiTags('auth')
@Controller('api/v1/auth')
export class RefreshController {
  constructor(private readonly refreshes: RefreshService) {}

  @Post('refresh')
  @Public()
  @ApiBody({ type: RefreshRequest, required: false })
  @Answers(
    200,
    Token,
    'Get a new access token',
    'Takes the refresh token from the body, or from the cookie that a login with `?session=cookie` set, and ' +
      'replaces it with a new one in the same place. Keep the new one: for ten seconds, the old one returns the ' +
      'same new token, for parallel requests and lost responses; after that, using the old one ends the session.',
  )
  @Refuses({
    unauthenticated: ['unauthenticated', 'refresh_token_invalid', 'refresh_token_reused'],
    forbidden: ['foreign_origin'],
  })
  refresh(@Body() { refresh_token }: RefreshRequest, @Res({ passthrough: true }) response: Response): Promise<Token> {
    return this.refreshes.refresh(refresh_token, response);
  }

  @Post('logout')
  @TokenOptional()
  @ApiBody({ type: RefreshRequest, required: false })
  @Answers(
    204,
    undefined,
    'Sign out',
    'Ends the session of the refresh token in the body, else in the cookie, else of the access token. A session ' +
      'that has already ended is not an error.',
  )
  @Refuses({
    rule_broken: ['no_session'],
    unauthenticated: ['unauthenticated', 'token_expired', 'token_invalid', 'token_revoked'],
    forbidden: ['foreign_origin'],
  })
  logout(
    @Body() { refresh_token }: RefreshRequest,
    @CallerOrRefusal() caller: CallerIdentity | Unauthenticated,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    return this.refreshes.logout(refresh_token, caller, response);
  }
}
