import { Injectable } from '@nestjs/common';
import { TaggedCache } from '../../platform/changes/tagged-cache.js';
import { ChangeBus } from '../../platform/changes/change-bus.js';
import { Settings } from '../../config/settings.js';
import { shopItself } from './shop-cache-tags.js';
import { toShippingMethod } from './shop.mapper.js';
import { ShopRepository } from './shop.repository.js';
import type { ShippingMethod, Shop } from './shop.dto.js';

/** What the shop says about itself. */
@Injectable()
export class ShopService {
  private readonly known: TaggedCache<ShippingMethod[]>;

  constructor(
    private readonly repository: ShopRepository,
    private readonly settings: Settings,
    changes: ChangeBus,
  ) {
    this.known = new TaggedCache(changes, 1);
  }

  /** The shop's name, currency, locale and shipping methods. */
  async get(): Promise<Shop> {
    const { currency, locale } = this.settings.shop;
    return { name: this.settings.mail.shopName, currency, locale, shipping_methods: await this.read() };
  }

  /** The shipping methods, without a statement where they were read a moment ago. */
  shippingMethods(): Promise<ShippingMethod[]> {
    return this.known.get('shipping methods', [shopItself], () => this.read());
  }

  private async read(): Promise<ShippingMethod[]> {
    return (await this.repository.shippingMethods()).map(toShippingMethod);
  }
}
