import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import type { OpenIssue } from '../issues/issue-resolutions.repository.js';
import type { IssueSeverity } from '../vocabulary.js';
import {
  countedAsEmpty,
  goneIssues,
  hadReport,
  importOutcomes,
  keepPages,
  newerAssets,
} from './import-outcomes.statements.js';
import type { ImportedIssue, ImportOutcome } from './reports.dto.js';
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
  /** The reports of other branches that tell what is new to this one. */
  bases: { tool: string; branch: string }[];
  issues: ImportedIssue[];
  /** The issues of the report that are not open. */
  setAside: { severity: IssueSeverity; count: number }[];
}

/** The issues of an import by their outcome. */
export interface OutcomeIds {
  createdIds: Set<string>;
  reopenedIds: Set<string>;
  goneIds: string[];
}

/** The basis of a comparison: the import's scans and assets, its branch, and the branches that others are merged into. */
export interface Comparison {
  organizationId: string;
  scanIds: string[];
  branch: string;
  assetIds: string[];
  /** The branch on each asset; none without a branch. */
  branchIds: string[];
  defaults: readonly string[];
}

/** An issue that a branch no longer has. */
export interface AbsentIssue extends OpenIssue {
  /** Whether it is open and gone for the organization too. */
  isGone: boolean;
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

  /**
   * Lets PostgreSQL count tables that it takes for empty, rows of the own unit of work included: by plans for one row, what
   * follows would compare each issue with each.
   */
  async countAnew(): Promise<void> {
    const tables = await this.database.rows<{ name: string }>(countedAsEmpty);
    if (tables.length === 0) return;
    await this.database.execute(`ANALYZE (SKIP_LOCKED) ${tables.map(({ name }) => name).join(', ')}`);
  }

  /** The issues that the scope's earlier reports had and this one lacks, or says are absent. */
  gone(
    { organizationId, tool, category, scope, branch }: ScanReportEntity,
    { scanIds, assetIds, branchIds, defaults }: Comparison,
    absent: string[],
  ): Promise<AbsentIssue[]> {
    const own = [organizationId, scanIds, assetIds, tool, scope, absent, branchIds, branch, category !== ''];
    return this.database.rows<AbsentIssue & Record<string, unknown>>(goneIssues, [...own, defaults]);
  }

  /** The assets among these of which the scope has a report of a newer commit. */
  async newerAssets(organizationId: string, scope: string, than: Date, assetIds: string[]): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(newerAssets, [organizationId, scope, than, assetIds]);
    return rows.map(({ id }) => id);
  }

  /** Whether the scope had a whole report of these assets before. */
  async hadReport({ scope }: ScanReportEntity, { organizationId, scanIds, assetIds }: Comparison): Promise<boolean> {
    const values = [organizationId, scope, scanIds, assetIds];
    return (await this.database.one<{ had: boolean }>(hadReport, values)).had;
  }

  /** Counts the issues of an import, and lists the most severe. A default branch is compared with no other. */
  outcomes(compared: Comparison, ids: OutcomeIds, most: { all: number; ofSeverity: number }): Promise<ImportOutcomes> {
    const values = valuesOf(compared, ids, most.all, most.ofSeverity);
    return this.database.one<ImportOutcomes & Record<string, unknown>>(importOutcomes, values);
  }

  /** Keeps all issues of an import for a day, so many a page, under the id of its first scan; returns the number of pages. */
  keepPages(compared: Comparison, ids: OutcomeIds, ofPage: number): Promise<number> {
    return this.database.execute(keepPages, valuesOf(compared, ids, compared.scanIds[0], ofPage));
  }
}

function valuesOf(
  { organizationId, scanIds, assetIds, branch, defaults }: Comparison,
  { createdIds, reopenedIds, goneIds }: OutcomeIds,
  sixth: unknown,
  tenth: number,
): unknown[] {
  const other = branch === '' || defaults.includes(branch) ? null : branch;
  const ids = [[...createdIds], [...reopenedIds], goneIds];
  return [organizationId, scanIds, ...ids, sixth, assetIds, other, defaults, tenth];
}
