import { Global, Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { ShopKeyDirectory } from '../../platform/auth/shop-key-caller.js';
import { AccountMailModule } from '../account-mail/account-mail.module.js';
import { ShopKeyDirectoryService } from './shop-key-directory.service.js';
import { ShopKeyEntity } from './shop-key.entity.js';
import { ShopKeysController } from './shop-keys.controller.js';
import { ShopKeysRepository } from './shop-keys.repository.js';
import { ShopKeysService } from './shop-keys.service.js';

/** Keys by which programs administer the shop. Global, since the guard of every route asks for them. */
@Global()
@Module({
  imports: [AccountMailModule, repositoriesOf([ShopKeyEntity])],
  controllers: [ShopKeysController],
  providers: [{ provide: ShopKeyDirectory, useClass: ShopKeyDirectoryService }, ShopKeysRepository, ShopKeysService],
  exports: [ShopKeyDirectory],
})
export class ShopKeysModule {}
