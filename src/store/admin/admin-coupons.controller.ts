import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { Scope } from '../../platform/auth/scopes.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { IfMatch, TakesIfMatch, Versioned } from '../../platform/http/if-match.js';
import { CouponsService } from '../coupons/coupons.service.js';
import { CouponCreate, CouponFilter, CouponInfo, CouponPath, CouponUpdate } from '../coupons/coupons.dto.js';

// Unspecified: how coupons are made; an admin makes, changes and deletes them here.
@ApiTags('admin')
@Controller('api/v1/admin')
export class AdminCouponsController {
  constructor(private readonly coupons: CouponsService) {}

  @Get('coupons')
  @AdminOnly()
  @Scope('catalog:read')
  @CountsTotal()
  @Answers(200, [CouponInfo], 'List all coupons', 'All coupons, public and usable or not, newest first.')
  list(@Query() filter: CouponFilter): Promise<CouponInfo[]> {
    return this.coupons.list(filter);
  }

  @Get('coupons/:coupon_id')
  @AdminOnly()
  @Scope('catalog:read')
  @Versioned()
  @Answers(200, CouponInfo, 'Get a coupon', 'The coupon with the number of its uses.')
  @Refuses({ not_found: ['not_found'] })
  get(@Param() { coupon_id }: CouponPath): Promise<CouponInfo> {
    return this.coupons.get(coupon_id);
  }

  @Post('coupons')
  @AdminOnly()
  @Scope('catalog:write')
  @Versioned()
  @Answers(
    201,
    CouponInfo,
    'Create a coupon',
    'A percentage off the goods, for a number of orders, until a time or without end.',
  )
  @Refuses({ conflict: ['coupon_code_taken'] })
  create(@Body() coupon: CouponCreate): Promise<CouponInfo> {
    return this.coupons.create(coupon);
  }

  @Put('coupons/:coupon_id')
  @AdminOnly()
  @Scope('catalog:write')
  @Answers(
    200,
    CouponInfo,
    'Change a coupon',
    'Omitted fields stay as they are; null for `expires_at` removes the end.',
  )
  @TakesIfMatch()
  @Refuses({
    not_found: ['not_found'],
    conflict: ['coupon_code_taken'],
    precondition_failed: ['changed_meanwhile'],
  })
  @Examples({ body: { max_uses: 5_000 } })
  update(
    @Param() { coupon_id }: CouponPath,
    @Body() changes: CouponUpdate,
    @IfMatch() ifMatch: string | null,
  ): Promise<CouponInfo> {
    return this.coupons.update(coupon_id, changes, ifMatch);
  }

  @Delete('coupons/:coupon_id')
  @AdminOnly()
  @Scope('catalog:write')
  @Answers(204, undefined, 'Delete a coupon', 'It can no longer be used. Orders that used it keep their discount.')
  @Refuses({ not_found: ['not_found'] })
  remove(@Param() { coupon_id }: CouponPath): Promise<void> {
    return this.coupons.remove(coupon_id);
  }
}
