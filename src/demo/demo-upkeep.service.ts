import { Injectable } from '@nestjs/common';
import { everything } from '../platform/changes/change-bus.js';
import { Settings } from '../config/settings.js';
import { Changes } from '../database/changes.js';
import { beginningOfApiKey, hashApiKey, newApiKey } from '../platform/crypto/api-keys.js';
import { UploadsService } from '../store/uploads/uploads.service.js';
import { DemoDataRepository } from './demo-data.repository.js';
import { demoId } from './demo-ids.js';

/** Opens the loaded demo to the admins, and removes it on demand. */
@Injectable()
export class DemoUpkeepService {
  constructor(
    private readonly repository: DemoDataRepository,
    private readonly uploads: UploadsService,
    private readonly settings: Settings,
    private readonly changes: Changes,
  ) {}

  /**
   * Opens the demo's organization to the admins, once, and returns an API key of it, which nobody sees again; undefined where
   * there is no such organization, or it is already open.
   */
  async openOrganization(): Promise<string | undefined> {
    if (this.settings.production || !this.settings.demoData) return undefined;
    const key = newApiKey('organization');
    const stored = {
      id: demoId('first key'),
      name: 'First start',
      prefix: beginningOfApiKey(key),
      hash: hashApiKey(key),
    };
    return (await this.repository.openOrganization(stored)) ? key : undefined;
  }

  /** Empties every table and removes every picture. */
  async empty(): Promise<void> {
    await this.uploads.removeAll();
    await this.repository.truncate();
    this.changes.invalidate([everything]);
  }
}
