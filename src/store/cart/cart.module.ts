import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { CartMergeRepository } from './cart-merge.repository.js';
import { CartMergeService } from './cart-merge.service.js';
import { CartSweep } from './cart-sweep.js';
import { CartController } from './cart.controller.js';
import { CartItemEntity } from './cart-item.entity.js';
import { CartEntity } from './cart.entity.js';
import { CartRepository } from './cart.repository.js';
import { CartService } from './cart.service.js';

@Module({
  imports: [repositoriesOf([CartEntity, CartItemEntity])],
  controllers: [CartController],
  providers: [CartService, CartRepository, CartMergeService, CartMergeRepository, CartSweep],
})
export class CartModule {}
