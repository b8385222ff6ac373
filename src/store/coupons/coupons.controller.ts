import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../common/auth/access.js';
import { Answers } from '../../common/http/answers.js';
import { CouponsService } from './coupons.service.js';
import { CouponInfo, CouponQuery, CouponResponse } from './coupons.shapes.js';

@ApiTags('coupons')
@Controller('api/v1/orders')
export class CouponsController {
  constructor(private readonly coupons: CouponsService) {}

  @Get('coupons')
  @Public()
  @Answers(200, [CouponInfo], 'List the coupons that anybody can use now')
  available(): Promise<CouponInfo[]> {
    return this.coupons.available();
  }

  @Get('coupons/validate')
  @Public()
  @Answers(200, CouponResponse, 'Say whether a coupon can be used')
  validate(@Query() query: CouponQuery): Promise<CouponResponse> {
    return this.coupons.validate(query);
  }
}
