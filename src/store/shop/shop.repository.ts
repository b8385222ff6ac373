import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Not, Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import { ShippingMethodEntity } from './shipping-method.entity.js';
import { ShopSettingsEntity } from './shop-settings.entity.js';
import type { ShippingMethod, ShopSettings } from './shop.dto.js';
import { readShop } from './shop.statements.js';

/** What is stored of the shop. */
export type StoredShop = Omit<ShopSettings, 'defaults'>;

@Injectable()
export class ShopRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(ShopSettingsEntity) private readonly settings: Repository<ShopSettingsEntity>,
    @InjectRepository(ShippingMethodEntity) private readonly methods: Repository<ShippingMethodEntity>,
  ) {}

  read(): Promise<StoredShop> {
    return this.database.one<StoredShop & Record<string, unknown>>(readShop);
  }

  /** Locks the shop until the unit of work ends. */
  async lock(): Promise<void> {
    await this.settings.findOne({ select: { id: true }, where: { id: true }, lock: { mode: 'for_no_key_update' } });
  }

  /** Changes columns of the locked shop. */
  async update(columns: Partial<ShopSettingsEntity>): Promise<void> {
    await this.settings.update({ id: true }, columns);
  }

  /** Makes these the shipping methods of the locked shop. */
  async setMethods(methods: readonly ShippingMethod[]): Promise<void> {
    const rows = methods.map(({ free_from: freeFrom, ...method }, n) => ({ ...method, freeFrom, position: n + 1 }));
    await this.methods.delete({ code: Not(In(rows.map(({ code }) => code))) });
    await this.methods.upsert(rows, ['code']);
  }
}
