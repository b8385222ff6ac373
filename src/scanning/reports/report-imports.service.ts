import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { TooManyWaiting, Turns } from '../../common/crypto/turns.js';
import { Unavailable } from '../../common/errors/kinds.js';
import { Settings } from '../../config/settings.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { EventPartitions } from '../scan-events/event-partitions.service.js';
import { FindingSpool } from './finding-spool.js';
import { readReport } from './read-report.js';
import { receiveReport } from './report-body.js';
import type { Report } from './report-finding.js';
import { ReportProfiles } from './report-profiles.service.js';
import { ReportWriter } from './report-writer.service.js';
import type { ImportQuery, ImportResult } from './reports.shapes.js';
import type { Spool } from './spool.js';

// An import holds a connection and some memory for as long as it takes; the others wait with neither.
const atOnce = 2;
const maxWaiting = 30;

/** Makes scans of the reports that other tools wrote. */
@Injectable()
export class ReportImports {
  private readonly turns = new Turns(atOnce, maxWaiting);

  constructor(
    private readonly settings: Settings,
    private readonly unitOfWork: UnitOfWork,
    private readonly profiles: ReportProfiles,
    private readonly writer: ReportWriter,
    private readonly partitions: EventPartitions,
  ) {}

  /**
   * Makes a scan of the report in a request, all of it or nothing, and says what became of every finding. `NotFound` for a
   * profile of another organization; `Invalid`, `PayloadTooLarge`, `UnsupportedMediaType` for the report; `Unavailable`
   * where too many others wait to be imported.
   */
  async import(
    organizationId: string,
    query: ImportQuery,
    request: Request,
    response: Response,
  ): Promise<ImportResult> {
    if (query.profileId !== undefined) await this.profiles.demand(organizationId, query.profileId);
    const spool = await receiveReport(request, response, this.settings.importMaxMegabytes);
    try {
      return await this.turns.run(() => this.importFrom(spool, organizationId, query));
    } catch (error) {
      if (!(error instanceof TooManyWaiting)) throw error;
      throw new Unavailable('Too many reports are being imported at the moment: try again in a minute');
    } finally {
      await spool.close();
    }
  }

  private async importFrom(spool: Spool, organizationId: string, query: ImportQuery): Promise<ImportResult> {
    const report = await readReport(() => spool.read(), query.format);
    const findings = await FindingSpool.of(report);
    try {
      await this.partitions.prepareForNow();
      return await this.unitOfWork.run(() => this.write(report, findings, organizationId, query));
    } finally {
      await findings.close();
    }
  }

  private async write(
    { tool, defaultKind, bracketed }: Report,
    findings: FindingSpool,
    organizationId: string,
    { profileId: given, kind = defaultKind }: ImportQuery,
  ): Promise<ImportResult> {
    const profileId = await this.profiles.idOf(organizationId, given, tool, kind);
    return this.writer.write({ organizationId, profileId, kind, tool, bracketed }, findings);
  }
}
