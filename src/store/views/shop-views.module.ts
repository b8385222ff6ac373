import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { ShopViewEntity } from './shop-view.entity.js';
import { ShopViewsController } from './shop-views.controller.js';
import { ShopViewsRepository } from './shop-views.repository.js';
import { ShopViewsService } from './shop-views.service.js';

@Module({
  imports: [repositoriesOf([ShopViewEntity])],
  controllers: [ShopViewsController],
  providers: [ShopViewsRepository, ShopViewsService],
})
export class ShopViewsModule {}
