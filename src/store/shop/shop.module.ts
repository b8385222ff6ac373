import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { ShippingMethodEntity } from './shipping-method.entity.js';
import { ShopController } from './shop.controller.js';
import { ShopRepository } from './shop.repository.js';
import { ShopService } from './shop.service.js';

@Module({
  imports: [repositoriesOf([ShippingMethodEntity])],
  controllers: [ShopController],
  providers: [ShopService, ShopRepository],
  exports: [ShopService],
})
export class ShopModule {}
