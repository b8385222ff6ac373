import { Injectable } from '@nestjs/common';
import { companyName, demoShopper } from '@store-service/demo';
import type { DemoValues } from '../platform/openapi/demo-values.js';
import { Database } from '../database/database.js';
import { findValues } from './demo-directory.statements.js';

@Injectable()
export class DemoDirectoryRepository {
  constructor(private readonly database: Database) {}

  async values(): Promise<DemoValues | null> {
    return this.database.row<DemoValues>(findValues, [demoShopper.username, companyName]);
  }
}
