import { Body, Controller, Get, Header, Ip, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { RecentLogin } from '../../platform/auth/recent-login.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { TotpService } from './totp.service.js';
import {
  TOTPDisabled,
  TOTPEnabled,
  TOTPRecoveryCodes,
  TOTPSetupResponse,
  TOTPStatusResponse,
  TOTPVerified,
  TOTPVerifyRequest,
} from './totp.dto.js';

@ApiTags('totp')
@Controller('api/v1/totp')
export class TotpController {
  constructor(private readonly totp: TotpService) {}

  @Get('setup')
  @Bearer()
  @RecentLogin({ only: 'hardened' })
  @Header('Cache-Control', 'no-store')
  @Answers(
    200,
    TOTPSetupResponse,
    'Get a new secret for two-factor login',
    'Returns a new secret, and a QR code for an authenticator app. The login changes only after a code of the ' +
      'secret was sent to POST /api/v1/totp/enable.',
  )
  @Refuses({ conflict: ['totp_already_enabled'] })
  setup(@Caller() caller: CallerIdentity): Promise<TOTPSetupResponse> {
    return this.totp.setup(caller);
  }

  @Post('enable')
  @Bearer()
  @RecentLogin({ only: 'hardened' })
  @Answers(
    200,
    TOTPEnabled,
    'Enable two-factor login',
    'Takes a code of the secret from GET /api/v1/totp/setup. From then on, a login asks for a code. The response ' +
      'has ten recovery codes, which are shown only here.',
  )
  @Refuses({
    rule_broken: ['wrong_code', 'totp_not_set_up'],
    conflict: ['totp_already_enabled'],
    too_many_requests: ['too_many_attempts'],
  })
  enable(
    @Caller() caller: CallerIdentity,
    @Body() { token }: TOTPVerifyRequest,
    @Ip() ip: string,
  ): Promise<TOTPEnabled> {
    return this.totp.enable(caller, token, ip);
  }

  @Post('disable')
  @Bearer()
  @RecentLogin({ only: 'hardened' })
  @Answers(
    200,
    TOTPDisabled,
    'Disable two-factor login',
    'Takes the code that the app shows now, even if it was just used for a login. Deletes the secret and the ' +
      'recovery codes.',
  )
  @Refuses({ rule_broken: ['wrong_code', 'totp_not_enabled'], too_many_requests: ['too_many_attempts'] })
  disable(
    @Caller() caller: CallerIdentity,
    @Body() { token }: TOTPVerifyRequest,
    @Ip() ip: string,
  ): Promise<TOTPDisabled> {
    return this.totp.disable(caller, token, ip);
  }

  // Unspecified: how to replace recovery codes that are used up or lost.
  @Post('recovery-codes')
  @Bearer()
  @RecentLogin()
  @Header('Cache-Control', 'no-store')
  @Answers(
    200,
    TOTPRecoveryCodes,
    'Get new recovery codes',
    'Takes the code that the app shows now, and returns ten new recovery codes; the earlier ones no longer work.',
  )
  @Refuses({ rule_broken: ['wrong_code', 'totp_not_enabled'], too_many_requests: ['too_many_attempts'] })
  renewRecoveryCodes(
    @Caller() caller: CallerIdentity,
    @Body() { token }: TOTPVerifyRequest,
    @Ip() ip: string,
  ): Promise<TOTPRecoveryCodes> {
    return this.totp.renewRecoveryCodes(caller, token, ip);
  }

  @Get('status')
  @Bearer()
  @Answers(
    200,
    TOTPStatusResponse,
    'Whether two-factor login is enabled',
    "Whether the caller's logins ask for a code.",
  )
  status(@Caller() caller: CallerIdentity): Promise<TOTPStatusResponse> {
    return this.totp.status(caller);
  }

  @Post('verify')
  @Bearer()
  @Answers(
    200,
    TOTPVerified,
    'Check a code',
    'Checks a code without using it up: a wrong one is also a 200, with `valid: false`. Wrong codes count toward ' +
      'the limit of attempts.',
  )
  @Refuses({ rule_broken: ['totp_not_set_up'], too_many_requests: ['too_many_attempts'] })
  verify(
    @Caller() caller: CallerIdentity,
    @Body() { token }: TOTPVerifyRequest,
    @Ip() ip: string,
  ): Promise<TOTPVerified> {
    return this.totp.verify(caller, token, ip);
  }
}
