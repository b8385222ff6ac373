import { Global, Module } from '@nestjs/common';
import { MailShop } from '../../platform/mail/mail.js';
import { repositoriesOf } from '../../database/repositories.js';
import { ShippingMethodEntity } from './shipping-method.entity.js';
import { ShopController } from './shop.controller.js';
import { ShopRepository } from './shop.repository.js';
import { ShopService } from './shop.service.js';
import { ShopSettingsEntity } from './shop-settings.entity.js';

@Global()
@Module({
  imports: [repositoriesOf([ShippingMethodEntity, ShopSettingsEntity])],
  controllers: [ShopController],
  providers: [{ provide: MailShop, useExisting: ShopService }, ShopService, ShopRepository],
  exports: [MailShop, ShopService],
})
export class ShopModule {}
