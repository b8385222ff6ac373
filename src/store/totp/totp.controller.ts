import { Body, Controller, Get, Header, Ip, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer } from '../../common/auth/access.js';
import { Caller, type CallerIdentity } from '../../common/auth/caller.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { TotpService } from './totp.service.js';
import {
  TOTPDisabled,
  TOTPEnabled,
  TOTPSetupResponse,
  TOTPStatusResponse,
  TOTPVerified,
  TOTPVerifyRequest,
} from './totp.shapes.js';

@ApiTags('totp')
@Controller('api/v1/totp')
export class TotpController {
  constructor(private readonly totp: TotpService) {}

  @Get('setup')
  @Bearer()
  @Header('Cache-Control', 'no-store')
  @Answers(200, TOTPSetupResponse, 'Get a new secret for two-factor login')
  @Refuses({ conflict: 'Two-factor login is enabled already' })
  setup(@Caller() caller: CallerIdentity): Promise<TOTPSetupResponse> {
    return this.totp.setup(caller);
  }

  @Post('enable')
  @Bearer()
  @Answers(200, TOTPEnabled, 'Enable two-factor login')
  @Refuses({ rule_broken: 'A wrong code, or no secret was set up', conflict: 'Two-factor login is enabled already' })
  enable(
    @Caller() caller: CallerIdentity,
    @Body() { token }: TOTPVerifyRequest,
    @Ip() ip: string,
  ): Promise<TOTPEnabled> {
    return this.totp.enable(caller, token, ip);
  }

  @Post('disable')
  @Bearer()
  @Answers(200, TOTPDisabled, 'Disable two-factor login')
  @Refuses({ rule_broken: 'A wrong code, or two-factor login is not enabled' })
  disable(
    @Caller() caller: CallerIdentity,
    @Body() { token }: TOTPVerifyRequest,
    @Ip() ip: string,
  ): Promise<TOTPDisabled> {
    return this.totp.disable(caller, token, ip);
  }

  @Get('status')
  @Bearer()
  @Answers(200, TOTPStatusResponse, 'Whether two-factor login is enabled')
  status(@Caller() caller: CallerIdentity): Promise<TOTPStatusResponse> {
    return this.totp.status(caller);
  }

  @Post('verify')
  @Bearer()
  @Answers(200, TOTPVerified, 'Whether a code is right')
  verify(
    @Caller() caller: CallerIdentity,
    @Body() { token }: TOTPVerifyRequest,
    @Ip() ip: string,
  ): Promise<TOTPVerified> {
    return this.totp.verify(caller, token, ip);
  }
}
