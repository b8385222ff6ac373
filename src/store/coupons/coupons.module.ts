import { Module } from '@nestjs/common';
import { CouponAttempts } from './coupon-attempts.js';
import { repositoriesOf } from '../../database/repositories.js';
import { CouponEntity } from './coupon.entity.js';
import { CouponsController } from './coupons.controller.js';
import { CouponsRepository } from './coupons.repository.js';
import { CouponsService } from './coupons.service.js';

@Module({
  imports: [repositoriesOf([CouponEntity])],
  controllers: [CouponsController],
  providers: [CouponsService, CouponAttempts, CouponsRepository],
  exports: [CouponsService, CouponAttempts],
})
export class CouponsModule {}
