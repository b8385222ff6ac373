import { Injectable } from '@nestjs/common';
import { demoShopper } from '@store-service/demo';
import type { DemoExamples } from '../platform/openapi/demo-values.js';
import { Settings } from '../config/settings.js';
import { DemoDirectoryRepository } from './demo-directory.repository.js';

/** Finds the demo's rows that the interface description's examples name. */
@Injectable()
export class DemoDirectoryService {
  constructor(
    private readonly repository: DemoDirectoryRepository,
    private readonly settings: Settings,
  ) {}

  /** Their current ids, and the login of the demo's shopper; null if the database holds no demo. */
  async find(): Promise<DemoExamples | null> {
    if (!this.settings.demoData) return null;
    const values = await this.repository.values();
    return values && { values, login: demoShopper };
  }
}
