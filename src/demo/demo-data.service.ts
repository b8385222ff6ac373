import { Injectable } from '@nestjs/common';
import { everything } from '../common/changes/change-bus.js';
import { uuidV7 } from '../common/crypto/uuid-v7.js';
import { Settings } from '../config/settings.js';
import { Changes } from '../database/changes.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { hashApiKey, newApiKey, prefixOfApiKey } from '../scanning/organizations/api-key.js';
import { UploadsService } from '../store/uploads/uploads.service.js';
import { DemoDataRepository } from './demo-data.repository.js';
import { DemoExportsService } from './scanning/demo-exports.service.js';
import { ScanningDemoService } from './scanning/scanning-demo.service.js';
import { ShopDemoService } from './shop/shop-demo.service.js';

/** The demo data: loaded once into a database, and emptied on demand. */
@Injectable()
export class DemoDataService {
  constructor(
    private readonly repository: DemoDataRepository,
    private readonly shop: ShopDemoService,
    private readonly scanning: ScanningDemoService,
    private readonly exports: DemoExportsService,
    private readonly uploads: UploadsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
    private readonly changes: Changes,
  ) {}

  /** Whether the demo data were loaded here. */
  isLoaded(): Promise<boolean> {
    return this.repository.isLoaded();
  }

  /**
   * Loads the demo data where the settings want them, they never were loaded, and the database is not in use. Of nodes
   * that start together, one loads them.
   */
  async loadOnce(now = new Date()): Promise<void> {
    if (!this.settings.demoData || (await this.isLoaded())) return;
    await this.scanning.prepare(now);
    const loaded = await this.unitOfWork.run(async () => {
      await this.repository.lock();
      if ((await this.isLoaded()) || (await this.repository.isInUse())) return false;
      const userIds = await this.shop.load(now);
      const organization = await this.scanning.load(userIds, now);
      await this.exports.load(organization);
      await this.repository.markLoaded(organization.owner.organizationId);
      await this.changes.invalidate([everything]);
      return true;
    });
    if (loaded) await this.repository.analyze();
  }

  /**
   * Opens the demo's organization to the admins, once, and returns an API key of it, which is shown this once; undefined
   * where there is no such organization, or it was opened before.
   */
  async openOrganization(): Promise<string | undefined> {
    if (this.settings.production || !this.settings.demoData) return undefined;
    const key = newApiKey();
    const stored = { id: uuidV7(), name: 'First start', prefix: prefixOfApiKey(key), hash: hashApiKey(key) };
    return (await this.repository.openOrganization(stored)) ? key : undefined;
  }

  /** Empties every table and removes every picture. */
  async empty(): Promise<void> {
    await this.uploads.removeAll();
    await this.repository.truncate();
    await this.changes.invalidate([everything]);
  }
}
