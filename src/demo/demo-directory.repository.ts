import { Injectable } from '@nestjs/common';
import type { DemoExamples, DemoValues } from '../common/openapi/demo-values.js';
import { Settings } from '../config/settings.js';
import { Database } from '../database/database.js';
import { companyName } from './data/scanning/company.js';
import { demoShopper } from './data/shop/people.js';
import { findValues } from './demo-directory.statements.js';

/** Finds the demo's rows that the interface description's examples name. */
@Injectable()
export class DemoDirectoryRepository {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** Their current ids, and the login of the demo's shopper; null where the database holds no demo. */
  async find(): Promise<DemoExamples | null> {
    if (!this.settings.demoData) return null;
    const values = await this.database.row<DemoValues>(findValues, [demoShopper.username, companyName]);
    return values && { values, login: demoShopper };
  }
}
