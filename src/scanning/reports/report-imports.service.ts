import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { FairSemaphore, NotAdmitted } from '../../common/concurrency/fair-semaphore.js';
import { RateExceeded, TooManyRequests, Unavailable } from '../../common/errors/kinds.js';
import { WorkerLink } from '../../common/workers/worker-link.js';
import { Settings } from '../../config/settings.js';
import { EventAllowance } from '../scan-events/event-allowance.js';
import { EventPartitionsService } from '../scan-events/event-partitions.service.js';
import type { SpoolFile } from '../spool-file.js';
import type { AssetCollection } from './asset-collection.js';
import type { ImportKey } from './import-keys.repository.js';
import { ImportTransactionsService } from './import-transactions.service.js';
import { NamedAssetsService } from './named-assets.service.js';
import { openReport, readReport } from './read-report.js';
import { receiveReport } from './report-body.js';
import { maxFindings, type Report } from './report-finding.js';
import { withinTime } from './reading-time.js';
import { ReportProfilesService } from './report-profiles.service.js';
import { mostEvents } from './report-events.js';
import { ReportWriterService } from './report-writer.service.js';
import type { ImportQuery, ImportResult } from './reports.shapes.js';
import { NotAsExpected, SpooledFindings } from './spooled-findings.js';

// An import holds a connection and some memory while it runs; waiting ones hold neither.
const bounds = { atOnce: 2, waiting: 30, waitingPerKey: 16, waitMs: 300_000 };
const comeBackSeconds = 10;

/** A report whose findings are being read, and what its import needs. */
interface ReadingReport {
  report: Report;
  findings: SpooledFindings;
  organizationId: string;
  query: ImportQuery;
  key: ImportKey | null;
}

/** Turns reports of other tools into scans. */
@Injectable()
export class ReportImportsService {
  private readonly importing = new FairSemaphore(bounds);

  constructor(
    private readonly settings: Settings,
    private readonly transactions: ImportTransactionsService,
    private readonly profiles: ReportProfilesService,
    private readonly assets: NamedAssetsService,
    private readonly writer: ReportWriterService,
    private readonly partitions: EventPartitionsService,
    private readonly allowance: EventAllowance,
    private readonly link: WorkerLink,
  ) {}

  /**
   * Turns the report in a request into a scan, all of it or nothing, and returns what became of every finding. `NotFound`
   * for a profile of another organization; `Invalid` for an asset that cannot be identified or created; `Invalid`,
   * `PayloadTooLarge`, `UnsupportedMediaType` for the report; `Unavailable` where too many imports are waiting,
   * `RateExceeded` and `TooManyRequests` where too many of the organization are, `RateExceeded` where its events are more
   * than it may append in a day. With an Idempotency-Key: the answer that the same import had before, `Conflict` while it is
   * running, `Invalid` for a key that another one had.
   */
  async import(
    organizationId: string,
    query: ImportQuery,
    request: Request,
    response: Response,
    key: string | null,
  ): Promise<ImportResult> {
    if (query.profileId !== undefined) await this.profiles.assertOwn(organizationId, query.profileId);
    const { imports } = this.settings.quotas;
    // Those being received or waiting count too: all of them take disk space.
    const place = await this.link.occupy([{ name: `imports ${organizationId}`, most: imports.limit }]);
    if ('full' in place) throw new RateExceeded(imports, comeBackSeconds);
    try {
      return await this.receiveAndImport(organizationId, query, request, response, key);
    } finally {
      place.leave();
    }
  }

  private async receiveAndImport(
    organizationId: string,
    query: ImportQuery,
    request: Request,
    response: Response,
    key: string | null,
  ): Promise<ImportResult> {
    const spool = await receiveReport(request, response, this.settings.importMaxMegabytes);
    try {
      return await this.importing.run(() => this.importOnce(spool, organizationId, query, key), {
        key: organizationId,
      });
    } catch (error) {
      if (!(error instanceof NotAdmitted)) throw error;
      if (error.why === 'full-for-key') {
        const ownSentence = 'Too many reports of your organization wait to be imported: wait for their answers';
        throw new TooManyRequests(ownSentence, comeBackSeconds, 'busy');
      }
      const sentence = 'Too many reports are being imported at the moment: try again in a minute';
      throw new Unavailable(sentence, 'busy', comeBackSeconds);
    } finally {
      await spool.close();
    }
  }

  private async importOnce(
    spool: SpoolFile,
    organizationId: string,
    query: ImportQuery,
    givenKey: string | null,
  ): Promise<ImportResult> {
    const key = await this.transactions.keyOf(organizationId, givenKey, query, spool);
    return (await this.transactions.stored(key)) ?? this.importFrom(spool, organizationId, query, key);
  }

  private async importFrom(
    spool: SpoolFile,
    organizationId: string,
    query: ImportQuery,
    key: ImportKey | null,
  ): Promise<ImportResult> {
    const bytes = withinTime(() => spool.read());
    const opened = await openReport(bytes, query.format);
    const assets = await this.assets.of(organizationId, query, opened.format === 'sarif');
    const reading = { asset: assets.named?.draft ?? null, fallback: assets.fallback?.draft ?? null };
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
   * Writes the findings while they are read, where the report says before them how many there are and of what; else, and
   * where that was not so, once all are read.
   */
  private async importRead(reading: ReadingReport): Promise<ImportResult> {
    const { report, findings } = reading;
    if (findings.expected && report.count !== null) {
      try {
        return await this.importAs(reading, findings.expected, Math.min(report.count, maxFindings));
      } catch (error) {
        // Fewer may be kept than there are: the allowance may do for those.
        if (!(error instanceof NotAsExpected || error instanceof RateExceeded)) throw error;
      }
    }
    await findings.whole;
    return this.importAs(reading, findings.assets, findings.findings - findings.skipped.count);
  }

  private importAs(reading: ReadingReport, assets: AssetCollection, most: number): Promise<ImportResult> {
    const { report, organizationId, query, key } = reading;
    const write = () => this.write(reading, assets);
    const writeOnce = () => this.transactions.run(key, query.dryRun, write);
    const appended = ({ events }: ImportResult) => (query.dryRun ? 0 : events);
    return this.allowance.count(organizationId, mostEvents(report, most), writeOnce, appended);
  }

  private async write(
    { report, findings, organizationId, query }: ReadingReport,
    assets: AssetCollection,
  ): Promise<ImportResult> {
    const { profileId: given, kind = report.defaultKind } = query;
    const profileId = await this.profiles.idOf(organizationId, given, report.tool, kind);
    return this.writer.write({ ...report, assets, organizationId, profileId, kind, query }, findings);
  }
}
