import { Controller, Get, Header, HttpCode, Post, Query, Redirect, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../platform/auth/access.js';
import { StreamedBody } from '../../platform/http/streamed-body.js';
import { validated } from '../../platform/validation/validated.js';
import { pageOf } from './login-secrets.js';
import { LogoutForm, OidcCallback } from './oidc.dto.js';
import { OidcLogoutService } from './oidc-logout.service.js';

const addresses = { console: '/console/login', storefront: '/login/provider/end' };

/** What the provider calls: it knows these addresses from its own settings, and no client of the service needs them. */
@ApiExcludeController()
@Controller('api/v1/auth/oidc')
export class OidcCallbacksController {
  constructor(private readonly logouts: OidcLogoutService) {}

  /** Hands the answer on to the page that began the sign-in. It is worth nothing without the token that the page keeps. */
  @Get('callback')
  @Public()
  @Header('Cache-Control', 'no-store')
  @Header('Referrer-Policy', 'no-referrer')
  @Redirect(undefined, 303)
  callback(@Query() { state, code, iss, error }: OidcCallback): { url: string } {
    const given = Object.entries({ state, code, iss, error }).filter((pair): pair is [string, string] => !!pair[1]);
    return { url: `${addresses[pageOf(state)]}?${new URLSearchParams(given).toString()}` };
  }

  @Post('backchannel-logout')
  @Public()
  @StreamedBody()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async logOut(@Req() request: Request): Promise<void> {
    const { logout_token } = validated(LogoutForm, request.body ?? {}, 'body');
    await this.logouts.logOut(logout_token);
  }
}
