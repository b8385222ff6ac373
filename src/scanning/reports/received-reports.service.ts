import { Injectable } from '@nestjs/common';
import { Invalid } from '../../platform/errors/invalid.js';
import { RateExceeded } from '../../platform/errors/errors.js';
import { EventAllowance } from '../scan-events/event-allowance.js';
import { EventPartitionsService } from '../scan-events/event-partitions.service.js';
import type { SpoolFile } from '../spool-file.js';
import type { AssetCollection } from './asset-collection.js';
import type { ImportKey } from './import-keys.repository.js';
import { ImportTransactionsService } from './import-transactions.service.js';
import { NamedAssetsService } from './named-assets.service.js';
import { codeFormats, openReport, readReport } from './read-report.js';
import { maxFindings, type Report, type ReportFormat } from './report-finding.js';
import { withinTime } from './reading-time.js';
import { ReportProfilesService } from './report-profiles.service.js';
import { mostEvents } from './report-events.js';
import { type PlannedTool, ReportWriterService } from './report-writer.service.js';
import type { ImportQuery } from './import-query.dto.js';
import { mappingOf, type ReportMapping } from './report-mapping.js';
import type { ImportResult } from './reports.dto.js';
import { absolutePath, SourceRoots } from './source-roots.js';
import { NotAsExpected, SpooledFindings } from './spooled-findings.js';

/** The input of an import beside its report. `key` is the Idempotency-Key. */
export interface AskedImport {
  organizationId: string;
  query: ImportQuery;
  key: string | null;
}

/** A report whose findings are being read. */
interface ReadingReport extends Omit<AskedImport, 'key'> {
  report: Report;
  findings: SpooledFindings;
  key: ImportKey | null;
}

/** Imports received reports, once for each Idempotency-Key. */
@Injectable()
export class ReceivedReportsService {
  constructor(
    private readonly transactions: ImportTransactionsService,
    private readonly profiles: ReportProfilesService,
    private readonly assets: NamedAssetsService,
    private readonly writer: ReportWriterService,
    private readonly partitions: EventPartitionsService,
    private readonly allowance: EventAllowance,
  ) {}

  /** Makes a scan of the report, as `ReportImportsService.import` documents. */
  async import(spool: SpoolFile, asked: AskedImport): Promise<ImportResult> {
    const { organizationId, query } = asked;
    const key = await this.transactions.keyOf(organizationId, asked.key, query, spool);
    const stored = await this.transactions.stored(key);
    if (stored) return stored;
    const bytes = withinTime(() => spool.read());
    const mapping = mappingIn(query);
    const opened = await openReport(bytes, mapping ? 'mapped-json' : query.format, query.allowEmpty);
    const assets = await this.assets.of(organizationId, query, isOfCode(opened.format, mapping));
    const reading = {
      asset: assets.named?.draft ?? null,
      fallback: assets.fallback?.draft ?? null,
      roots: rootsOf(query.root),
      allowEmpty: query.allowEmpty,
      ...(mapping ? { mapping } : {}),
    };
    const report = await readReport(opened, reading);
    const findings = new SpooledFindings(report, assets);
    try {
      await this.partitions.prepareForNow();
      return await this.importRead({ report, findings, organizationId, query, key });
    } finally {
      await findings.close();
    }
  }

  /**
   * Writes the findings while it reads them, if the report gives their number and asset before them; otherwise, and if that
   * was wrong, it first reads them all.
   */
  private async importRead(reading: ReadingReport): Promise<ImportResult> {
    const { report, findings } = reading;
    if (findings.expected && report.count !== null) {
      try {
        return await this.importAs(reading, findings.expected, Math.min(report.count, maxFindings));
      } catch (error) {
        // Fewer may be kept than announced: the allowance may do for those.
        if (!(error instanceof NotAsExpected || error instanceof RateExceeded)) throw error;
      }
    }
    await findings.whole;
    return this.importAs(reading, findings.assets, findings.findings - findings.skipped.count);
  }

  private importAs(reading: ReadingReport, assets: AssetCollection, most: number): Promise<ImportResult> {
    const { report, organizationId, query, key } = reading;
    const write = () => this.write(reading, assets);
    const writeOnce = () => this.transactions.run(key, { organizationId, isDryRun: query.dryRun }, write);
    const appended = ({ events }: ImportResult) => (query.dryRun ? 0 : events);
    return this.allowance.count(organizationId, mostEvents(report, most), writeOnce, appended);
  }

  private async write(
    { report, findings, organizationId, query }: ReadingReport,
    assets: AssetCollection,
  ): Promise<ImportResult> {
    const { profileId: given, kind = report.defaultKind } = query;
    const tools: PlannedTool[] = report.tools.map((tool) => ({ ...tool, profileId: '' }));
    // In one order, since each profile is locked.
    for (const tool of [...tools].sort(byName)) {
      tool.profileId = await this.profiles.idOf(organizationId, given, tool.name, kind);
    }
    return this.writer.write({ ...report, tools, assets, organizationId, kind, query }, findings);
  }
}

/** The mapping that is sent with a report. `Invalid` for one beside a format with a reader of its own. */
function mappingIn({ mapping, format = 'mapped-json' }: ImportQuery): ReportMapping | null {
  if (mapping === undefined) return null;
  if (format === 'mapped-json') return mappingOf(mapping);
  throw Invalid.at(['query', 'mapping'], 'value_error', `A report of the format ${format} needs no mapping: omit one`);
}

/** Whether the name of an asset is that of a repository. */
function isOfCode(format: ReportFormat, mapping: ReportMapping | null): boolean {
  return codeFormats.has(format) || (mapping?.fields.has('path') ?? false);
}

function byName({ name: one }: PlannedTool, { name: other }: PlannedTool): number {
  return one < other ? -1 : 1;
}

function rootsOf(root: string | undefined): SourceRoots {
  if (root === undefined) return new SourceRoots([]);
  if (absolutePath(root) !== null) return new SourceRoots([root]);
  const sentence = 'The root should be the complete path of a folder, such as /home/ci/app or C:\\app';
  throw Invalid.at(['query', 'root'], 'value_error', sentence, root);
}
