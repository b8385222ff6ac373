import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../common/auth/access.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { AdminPaging } from '../../common/http/paging.js';
import { CouponsService } from '../coupons/coupons.service.js';
import { CouponCreate, CouponInfo, CouponPath, CouponUpdate } from '../coupons/coupons.shapes.js';

// Not shown: how coupons come to be; an admin makes, changes and deletes them here.
@ApiTags('admin')
@Controller('api/v1/admin')
export class AdminCouponsController {
  constructor(private readonly coupons: CouponsService) {}

  @Get('coupons')
  @AdminOnly()
  @Answers(200, [CouponInfo], 'List all coupons')
  list(@Query() paging: AdminPaging): Promise<CouponInfo[]> {
    return this.coupons.list(paging);
  }

  @Post('coupons')
  @AdminOnly()
  @Answers(201, CouponInfo, 'Make a coupon')
  @Refuses({ conflict: 'The code is taken' })
  create(@Body() coupon: CouponCreate): Promise<CouponInfo> {
    return this.coupons.create(coupon);
  }

  @Put('coupons/:coupon_id')
  @AdminOnly()
  @Answers(200, CouponInfo, 'Change a coupon')
  @Refuses({ not_found: 'No such coupon', conflict: 'The code is taken' })
  update(@Param() { coupon_id }: CouponPath, @Body() changes: CouponUpdate): Promise<CouponInfo> {
    return this.coupons.update(coupon_id, changes);
  }

  @Delete('coupons/:coupon_id')
  @AdminOnly()
  @Answers(204, undefined, 'Delete a coupon')
  @Refuses({ not_found: 'No such coupon' })
  remove(@Param() { coupon_id }: CouponPath): Promise<void> {
    return this.coupons.remove(coupon_id);
  }
}
