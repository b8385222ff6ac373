import { Injectable } from '@nestjs/common';
import type { ExportSection } from '../../platform/account-export/export-section.statements.js';
import { Database } from '../../database/database.js';

/** The place of a row in its section, after which the next page begins. */
export interface ExportPlace {
  at: Date | string;
  id: number | string;
}

export interface ExportedRow extends ExportPlace {
  /** Its JSON. */
  body: string;
}

@Injectable()
export class AccountExportRepository {
  constructor(private readonly database: Database) {}

  /** The rows of a section after a place, or its first ones. */
  page({ page, firstId }: ExportSection, userId: string, after?: ExportPlace): Promise<ExportedRow[]> {
    return this.database.rows<ExportedRow>(page, [userId, after?.at ?? '-infinity', after?.id ?? firstId]);
  }
}
