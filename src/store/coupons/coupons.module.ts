import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CouponGuesses } from './coupon-guesses.js';
import { CouponEntity } from './coupon.entity.js';
import { CouponsController } from './coupons.controller.js';
import { CouponsRepository } from './coupons.repository.js';
import { CouponsService } from './coupons.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([CouponEntity])],
  controllers: [CouponsController],
  providers: [CouponsService, CouponGuesses, CouponsRepository],
  exports: [CouponsService, CouponGuesses],
})
export class CouponsModule {}
