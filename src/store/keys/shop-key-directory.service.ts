import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { KeyUses } from '../../platform/auth/key-uses.js';
import { type ShopKeyCaller, ShopKeyDirectory } from '../../platform/auth/shop-key-caller.js';
import { hashApiKey, hasRightChecksum } from '../../platform/crypto/api-keys.js';
import { ShopKeysRepository } from './shop-keys.repository.js';

/** Finds keys of the shop: in the database, for every request, so that a revoked one ends at once on all nodes. */
@Injectable()
export class ShopKeyDirectoryService extends ShopKeyDirectory implements OnModuleDestroy {
  private readonly uses = new KeyUses((id) => this.repository.noteUse(id));

  constructor(private readonly repository: ShopKeysRepository) {
    super();
  }

  onModuleDestroy(): Promise<void> {
    return this.uses.settled();
  }

  async find(key: string): Promise<ShopKeyCaller | null> {
    const row = hasRightChecksum(key) ? await this.repository.byHash(hashApiKey(key)) : null;
    if (!row) return null;
    const { stale, ...caller } = row;
    if (stale) this.uses.note(caller.id);
    return caller;
  }
}
