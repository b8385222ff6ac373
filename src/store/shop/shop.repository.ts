import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ShippingMethodEntity } from './shipping-method.entity.js';
import { mostShippingMethods } from './shop.dto.js';

@Injectable()
export class ShopRepository {
  constructor(@InjectRepository(ShippingMethodEntity) private readonly methods: Repository<ShippingMethodEntity>) {}

  shippingMethods(): Promise<ShippingMethodEntity[]> {
    return this.methods.find({ order: { position: 'ASC', code: 'ASC' }, take: mostShippingMethods });
  }
}
