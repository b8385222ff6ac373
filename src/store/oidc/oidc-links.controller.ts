import { Body, Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Bearer } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { RecentLogin } from '../../platform/auth/recent-login.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { OidcFinish, OidcLinkStart, OidcStarted, ProviderLink, ProviderLinkPath } from './oidc.dto.js';
import { OidcLinksService } from './oidc-links.service.js';
import { OidcLoginsService } from './oidc-logins.service.js';

@ApiTags('users')
@Controller('api/v1/users/me/provider-links')
export class OidcLinksController {
  constructor(
    private readonly links: OidcLinksService,
    private readonly logins: OidcLoginsService,
  ) {}

  @Get()
  @Bearer()
  @Answers(
    200,
    [ProviderLink],
    'List your links with providers',
    'The users of providers that sign in to your account.',
  )
  list(@Caller() caller: CallerIdentity): Promise<ProviderLink[]> {
    return this.links.list(caller);
  }

  @Post('start')
  @Bearer()
  @RecentLogin()
  @Answers(
    200,
    OidcStarted,
    'Begin a link with the provider',
    'As POST /api/v1/auth/oidc/start, for an answer that POST /api/v1/users/me/provider-links takes.',
  )
  @Refuses({
    not_found: ['sign_in_off'],
    too_many_requests: ['rate_exceeded'],
    unavailable: ['provider_unavailable'],
  })
  start(
    @Body() start: OidcLinkStart,
    @Caller() caller: CallerIdentity,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OidcStarted> {
    return this.logins.startLink(start, caller, response);
  }

  @Post()
  @Bearer()
  @Answers(
    201,
    ProviderLink,
    'Link your account with the provider',
    'Takes the answer of the provider to a sign-in that you began for it. From then on, this user of the provider signs ' +
      'in to your account. You get a mail.',
  )
  @Refuses({
    rule_broken: ['sign_in_denied'],
    unauthenticated: ['sign_in_ended', 'sign_in_failed'],
    not_found: ['sign_in_off'],
    conflict: ['already_linked'],
    unavailable: ['provider_unavailable'],
  })
  create(
    @Body() finish: OidcFinish,
    @Caller() caller: CallerIdentity,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProviderLink> {
    return this.links.create(finish, caller, response);
  }

  @Delete(':link_id')
  @Bearer()
  @RecentLogin()
  @Answers(
    204,
    undefined,
    'Unlink your account from the provider',
    'The user of the provider no longer signs in to your account. Sessions that began with it go on.',
  )
  @Refuses({ not_found: ['not_found'], conflict: ['password_needed'] })
  remove(@Caller() caller: CallerIdentity, @Param() { link_id }: ProviderLinkPath): Promise<void> {
    return this.links.remove(caller, link_id);
  }
}
