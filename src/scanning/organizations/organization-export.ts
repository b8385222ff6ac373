import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountExports } from '../../platform/account-export/account-exports.js';
import { organizationSections } from './organization-export.statements.js';

/** Adds what organizations hold about an account to its export. */
@Injectable()
export class OrganizationExport implements OnModuleInit {
  constructor(private readonly exports: AccountExports) {}

  onModuleInit(): void {
    this.exports.add(...organizationSections);
  }
}
