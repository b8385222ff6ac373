import { Controller, Get, Ip, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/auth/access.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { limitedAddressOf } from '../../platform/net/caller-address.js';
import { CouponsService } from './coupons.service.js';
import { CouponInfo, CouponQuery, CouponResponse } from './coupons.dto.js';

@ApiTags('coupons')
@Controller('api/v1/orders')
export class CouponsController {
  constructor(private readonly coupons: CouponsService) {}

  @Get('coupons')
  @Public()
  @CountsTotal()
  @Answers(
    200,
    [CouponInfo],
    'List the coupons that everybody can use now',
    'Those that are public, active, not expired and not used up.',
  )
  available(): Promise<CouponInfo[]> {
    return this.coupons.available();
  }

  @Get('coupons/validate')
  @Public()
  @Answers(
    200,
    CouponResponse,
    'Check whether a coupon can be used',
    'Always 200: `is_valid` says whether the code can be used now, and `message` why not. The check does not ' +
      'reserve the coupon.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  validate(@Query() query: CouponQuery, @Ip() ip: string): Promise<CouponResponse> {
    return this.coupons.validate(query, limitedAddressOf(ip));
  }
}
