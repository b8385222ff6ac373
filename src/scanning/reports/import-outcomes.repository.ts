import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { UuidSet } from '../../common/memory/uuid-set.js';
import { Database } from '../../database/database.js';
import type { OpenIssue } from '../issues/issue-resolutions.repository.js';
import type { IssueSeverity } from '../vocabulary.js';
import { goneIssues, importOutcomes } from './import-outcomes.statements.js';
import type { ImportedIssue, ImportOutcome } from './reports.shapes.js';
import { ScanReportEntity } from './scan-report.entity.js';

/** The number of issues of a rule and severity with one outcome. */
export interface OutcomeGroup {
  outcome: ImportOutcome;
  severity: IssueSeverity;
  rule: string;
  count: number;
  unmerged: number;
}

export interface ImportOutcomes {
  groups: OutcomeGroup[];
  issues: ImportedIssue[];
  /** The issues of the report that are not open. */
  setAside: { severity: IssueSeverity; count: number }[];
}

/** The issues of an import by their outcome. */
export interface OutcomeIds {
  createdIds: UuidSet;
  reopenedIds: UuidSet;
  goneIds: string[];
}

/** The basis of a comparison: the import's assets, and the branches that others are merged into. */
export interface Comparison {
  assetIds: string[];
  defaults: readonly string[];
}

@Injectable()
export class ImportOutcomesRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(ScanReportEntity) private readonly reports: Repository<ScanReportEntity>,
  ) {}

  async record(report: ScanReportEntity): Promise<void> {
    await this.reports.insert(report);
  }

  /** The open issues that the scope's earlier reports had and this one lacks, or says are absent. */
  gone(
    { organizationId, scanId, tool, category, scope, branch }: ScanReportEntity,
    { assetIds, defaults }: Comparison,
    absent: string[],
  ): Promise<OpenIssue[]> {
    const isDefault = defaults.includes(branch);
    const values = [organizationId, scanId, assetIds, tool, scope, absent, isDefault, branch, category !== ''];
    return this.database.rows<OpenIssue & Record<string, unknown>>(goneIssues, values);
  }

  /** Counts the issues of an import, and lists the most severe. A default branch is compared with no other. */
  outcomes(
    { organizationId, scanId, branch }: ScanReportEntity,
    { assetIds, defaults }: Comparison,
    { createdIds, reopenedIds, goneIds }: OutcomeIds,
    most: { all: number; ofSeverity: number },
  ): Promise<ImportOutcomes> {
    const compared = branch === '' || defaults.includes(branch) ? null : branch;
    const ids = [createdIds.toArrayLiteral(), reopenedIds.toArrayLiteral(), goneIds];
    const values = [organizationId, scanId, ...ids, most.all, assetIds, compared, defaults, most.ofSeverity];
    return this.database.one<ImportOutcomes & Record<string, unknown>>(importOutcomes, values);
  }
}
