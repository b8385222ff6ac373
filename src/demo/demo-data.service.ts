import { Injectable } from '@nestjs/common';
import { everything } from '../platform/changes/change-bus.js';
import { Changes } from '../database/changes.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { DemoDataRepository } from './demo-data.repository.js';
import { DemoExportsService } from './scanning/demo-exports.service.js';
import { ScanningDemoService } from './scanning/scanning-demo.service.js';
import { ShopDemoService } from './shop/shop-demo.service.js';

/** Loads the demo data, once into a database. */
@Injectable()
export class DemoDataService {
  constructor(
    private readonly repository: DemoDataRepository,
    private readonly shop: ShopDemoService,
    private readonly scanning: ScanningDemoService,
    private readonly exports: DemoExportsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: Changes,
  ) {}

  /** Whether the demo data were loaded here. */
  isLoaded(): Promise<boolean> {
    return this.repository.isLoaded();
  }

  /**
   * Loads the demo data where they never were loaded, and the database is not in use. Of nodes that start together, one
   * loads them.
   */
  async loadOnce(now = new Date()): Promise<void> {
    if (await this.isLoaded()) return;
    await this.scanning.prepare(now);
    const loaded = await this.unitOfWork.run(async () => {
      await this.repository.lock();
      if ((await this.isLoaded()) || (await this.repository.isInUse())) return false;
      const userIds = await this.shop.load(now);
      const organization = await this.scanning.load(userIds, now);
      await this.exports.load(organization);
      await this.repository.markLoaded(organization.owner.organizationId);
      this.changes.invalidate([everything]);
      return true;
    });
    if (loaded) await this.repository.analyze();
  }
}
