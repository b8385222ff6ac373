import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { KeyScope } from '../../platform/auth/scopes.js';
import type { ShopKeyCaller } from '../../platform/auth/shop-key-caller.js';
import { Database } from '../../database/database.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { ShopKeyEntity } from './shop-key.entity.js';
import type { ShopKey } from './shop-keys.dto.js';
import * as statements from './shop-keys.statements.js';

export interface NewShopKey {
  id: string;
  name: string;
  scopes: KeyScope[];
  prefix: string;
  keyHash: string;
  expiresAt: Date | null;
  makerId: string;
}

export interface RevokedShopKey {
  id: string;
  name: string;
  /** Null once the account is gone. */
  maker_id: string | null;
  was_in_force: boolean;
}

@Injectable()
export class ShopKeysRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
    @InjectRepository(ShopKeyEntity) private readonly keys: Repository<ShopKeyEntity>,
  ) {}

  page(skip: number, limit: number): Promise<ShopKey[]> {
    return this.database.rows<ShopKey>(statements.page, [skip, limit]);
  }

  count(): Promise<number> {
    return this.keys.count();
  }

  /** Writes a key; null if its maker is no longer an admin, `QuotaExceeded` where the quota is full. */
  insert({ id, name, scopes, prefix, keyHash, expiresAt, makerId }: NewShopKey): Promise<ShopKey | null> {
    const values = [id, name, scopes, prefix, keyHash, expiresAt, makerId];
    return this.stockQuotas.within(
      'shopKeys',
      'shop',
      statements.count,
      () => this.database.row<ShopKey>(statements.insert, values),
      (made) => made !== null,
    );
  }

  /** Revokes a key, unless it is already revoked; null if there is none. */
  revoke(id: string): Promise<RevokedShopKey | null> {
    return this.database.row<RevokedShopKey>(statements.revoke, [id]);
  }

  /** A key in force, and whether its last use was noted more than a minute ago. */
  byHash(hash: string): Promise<(ShopKeyCaller & { stale: boolean }) | null> {
    return this.database.row<ShopKeyCaller & { stale: boolean }>(statements.byHash, [hash]);
  }

  async noteUse(id: string): Promise<void> {
    await this.database.execute(statements.noteUse, [id]);
  }
}
