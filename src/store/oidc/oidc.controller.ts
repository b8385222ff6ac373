import { Body, Controller, Get, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../platform/auth/access.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { LoginResponse, SessionChoice } from '../auth/auth.dto.js';
import { DeviceFinish, DeviceStarted, OidcFinish, OidcOptions, OidcStart, OidcStarted } from './oidc.dto.js';
import { OidcLoginsService } from './oidc-logins.service.js';

@ApiTags('auth')
@Controller('api/v1/auth/oidc')
export class OidcController {
  constructor(private readonly logins: OidcLoginsService) {}

  @Get()
  @Public()
  @Answers(
    200,
    OidcOptions,
    'Whether users sign in with a provider',
    'The name of the provider of OpenID Connect, for the button that leads there, if the service has one.',
  )
  options(): OidcOptions {
    return this.logins.options();
  }

  @Post('start')
  @Public()
  @Answers(
    200,
    OidcStarted,
    'Begin a sign-in with the provider',
    'Returns where to send the browser, and a token to keep there. The provider sends the browser back to the page of ' +
      'the login, with an answer in its address for POST /api/v1/auth/oidc/finish. Valid for ten minutes.',
  )
  @Refuses({
    not_found: ['sign_in_off'],
    too_many_requests: ['rate_exceeded'],
    unavailable: ['provider_unavailable'],
  })
  start(@Body() start: OidcStart, @Res({ passthrough: true }) response: Response): Promise<OidcStarted> {
    return this.logins.start(start, response);
  }

  @Post('finish')
  @Public()
  @Answers(
    200,
    LoginResponse,
    'Sign in with the answer of the provider',
    'Takes the token of the beginning with the answer of the provider, once, and begins a session, as a login by ' +
      'password does. A two-factor login of the account is asked for, as POST /api/v1/auth/login does, only of an admin ' +
      'who needs one and for whom the provider does not vouch by two factors. The first sign-in of a user makes an account. ' +
      'An account that has their e-mail address already has to be linked by its owner first.',
  )
  @Refuses({
    rule_broken: ['sign_in_denied', 'email_missing'],
    unauthenticated: ['sign_in_ended', 'sign_in_failed'],
    forbidden: ['foreign_origin', 'account_suspended'],
    not_found: ['sign_in_off'],
    conflict: ['account_exists', 'username_taken', 'last_admin'],
    unavailable: ['provider_unavailable'],
  })
  finish(
    @Body() finish: OidcFinish,
    @Query() { session }: SessionChoice,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LoginResponse> {
    return this.logins.finish(finish, session, response);
  }

  @Post('device')
  @Public()
  @Answers(
    200,
    DeviceStarted,
    'Begin a sign-in of a device',
    'For programs without a browser (RFC 8628): the user opens the address on any device, and types in the code. Ask ' +
      'POST /api/v1/auth/oidc/device/finish meanwhile, no more often than the interval.',
  )
  @Refuses({
    rule_broken: ['sign_in_denied'],
    unauthenticated: ['sign_in_failed'],
    not_found: ['sign_in_off'],
    too_many_requests: ['rate_exceeded'],
    unavailable: ['provider_unavailable'],
  })
  startDevice(@Res({ passthrough: true }) response: Response): Promise<DeviceStarted> {
    return this.logins.startDevice(response);
  }

  @Post('device/finish')
  @Public()
  @Answers(
    200,
    LoginResponse,
    'Ask whether the user of a device has signed in',
    'Begins a session once they have. Until then it refuses with `authorization_pending`, or with `slow_down` for a ' +
      'question before its time, after which the interval is five seconds longer.',
  )
  @Refuses({
    rule_broken: ['authorization_pending', 'slow_down', 'device_code_expired', 'sign_in_denied', 'email_missing'],
    unauthenticated: ['sign_in_ended', 'sign_in_failed'],
    forbidden: ['account_suspended'],
    not_found: ['sign_in_off'],
    conflict: ['account_exists', 'username_taken', 'last_admin'],
    unavailable: ['provider_unavailable'],
  })
  finishDevice(@Body() finish: DeviceFinish, @Res({ passthrough: true }) response: Response): Promise<LoginResponse> {
    return this.logins.finishDevice(finish, response);
  }
}
