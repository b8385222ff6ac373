import { Injectable } from '@nestjs/common';
import type { ExportSection } from './export-section.statements.js';

/** What modules hold about an account. They add their sections when the service starts. */
@Injectable()
export class AccountExports {
  readonly sections: ExportSection[] = [];

  add(...sections: ExportSection[]): void {
    this.sections.push(...sections);
  }
}
