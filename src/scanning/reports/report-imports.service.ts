import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { FairSemaphore, NotAdmitted } from '../../common/concurrency/fair-semaphore.js';
import { RateExceeded, TooManyRequests, Unavailable } from '../../common/errors/kinds.js';
import { Settings } from '../../config/settings.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { EventAllowance } from '../scan-events/event-allowance.js';
import { EventPartitions } from '../scan-events/event-partitions.service.js';
import { FindingSpool } from './finding-spool.js';
import { NamedAssets } from './named-assets.service.js';
import { openReport, readReport } from './read-report.js';
import { receiveReport } from './report-body.js';
import type { Report } from './report-finding.js';
import { ReportProfiles } from './report-profiles.service.js';
import { mostEvents } from './report-events.js';
import { ReportWriter } from './report-writer.service.js';
import type { ImportQuery, ImportResult } from './reports.shapes.js';
import type { Spool } from './spool.js';

// An import holds a connection and some memory for as long as it takes; the others wait with neither.
const bounds = { atOnce: 2, waiting: 30, waitingPerKey: 16, waitMs: 300_000 };
const comeBackSeconds = 10;

/** Makes scans of the reports that other tools wrote. */
@Injectable()
export class ReportImports {
  private readonly importing = new FairSemaphore(bounds);
  /** What an organization has received or waiting, too: all of it lies on the disk meanwhile. */
  private readonly inFlight: FairSemaphore;

  constructor(
    private readonly settings: Settings,
    private readonly unitOfWork: UnitOfWork,
    private readonly profiles: ReportProfiles,
    private readonly assets: NamedAssets,
    private readonly writer: ReportWriter,
    private readonly partitions: EventPartitions,
    private readonly allowance: EventAllowance,
  ) {
    const atOncePerKey = settings.quotas.imports.limit;
    this.inFlight = new FairSemaphore({ atOnce: Infinity, atOncePerKey, waiting: 0, waitMs: 0 });
  }

  /**
   * Makes a scan of the report in a request, all of it or nothing, and says what became of every finding. `NotFound` for a
   * profile of another organization; `Invalid` for an asset that cannot be told or made; `Invalid`, `PayloadTooLarge`, `UnsupportedMediaType` for the report; `Unavailable`
   * where too many others wait to be imported, `RateExceeded` and `TooManyRequests` where too many of the organization
   * do, `RateExceeded` where its events are more than it may append in a day.
   */
  async import(
    organizationId: string,
    query: ImportQuery,
    request: Request,
    response: Response,
  ): Promise<ImportResult> {
    if (query.profileId !== undefined) await this.profiles.demand(organizationId, query.profileId);
    try {
      const take = () => this.receiveAndImport(organizationId, query, request, response);
      return await this.inFlight.run(take, { key: organizationId });
    } catch (error) {
      if (error instanceof NotAdmitted) throw new RateExceeded(this.settings.quotas.imports, comeBackSeconds);
      throw error;
    }
  }

  private async receiveAndImport(
    organizationId: string,
    query: ImportQuery,
    request: Request,
    response: Response,
  ): Promise<ImportResult> {
    const spool = await receiveReport(request, response, this.settings.importMaxMegabytes);
    try {
      return await this.importing.run(() => this.importFrom(spool, organizationId, query), { key: organizationId });
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

  private async importFrom(spool: Spool, organizationId: string, query: ImportQuery): Promise<ImportResult> {
    const opened = await openReport(() => spool.read(), query.format);
    const isOfCode = opened.format === 'sarif';
    const named = query.asset === undefined ? null : await this.assets.named(organizationId, query.asset, isOfCode);
    const report = await readReport(opened, { asset: named?.draft ?? null });
    const findings = await FindingSpool.of(report, named);
    try {
      await this.partitions.prepareForNow();
      const write = () => this.unitOfWork.run(() => this.write(report, findings, organizationId, query));
      return await this.allowance.count(organizationId, mostEvents(report, findings), write, ({ events }) => events);
    } finally {
      await findings.close();
    }
  }

  private async write(
    { tool, defaultKind, bracketed, failures }: Report,
    findings: FindingSpool,
    organizationId: string,
    { profileId: given, kind = defaultKind }: ImportQuery,
  ): Promise<ImportResult> {
    const profileId = await this.profiles.idOf(organizationId, given, tool, kind);
    return this.writer.write({ organizationId, profileId, kind, tool, bracketed, failures }, findings);
  }
}
