import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { FairSemaphore, NotAdmitted } from '../../common/concurrency/fair-semaphore.js';
import { RateExceeded, TooManyRequests, Unavailable } from '../../common/errors/kinds.js';
import { WorkerLink } from '../../common/workers/worker-link.js';
import { Settings } from '../../config/settings.js';
import { ReceivedReportsService } from './received-reports.service.js';
import { receiveReport } from './report-body.js';
import { ReportProfilesService } from './report-profiles.service.js';
import type { ImportQuery, ImportResult } from './reports.shapes.js';

// An import holds a connection and some memory while it runs; waiting ones hold neither.
const bounds = { atOnce: 2, waiting: 30, waitingPerKey: 16, waitMs: 300_000 };
const comeBackSeconds = 10;

/** Receives reports of other tools and turns them into scans, a few at once. */
@Injectable()
export class ReportImportsService {
  private readonly importing = new FairSemaphore(bounds);

  constructor(
    private readonly settings: Settings,
    private readonly profiles: ReportProfilesService,
    private readonly received: ReceivedReportsService,
    private readonly link: WorkerLink,
  ) {}

  /**
   * Turns the report in a request into a scan, all of it or nothing, and returns the outcome of every finding. `NotFound` for a
   * profile of another organization; `Invalid` for an asset that cannot be identified or created; `Invalid`,
   * `PayloadTooLarge`, `UnsupportedMediaType` for the report; `Unavailable` where too many imports are waiting,
   * `RateExceeded` and `TooManyRequests` where too many of the organization are, `RateExceeded` where it has more events than
   * the organization may append in a day. With an Idempotency-Key: the answer to the same earlier import, `Conflict` while that
   * is running, `Invalid` for a key that another one had.
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
    // Imports that are being received or waiting count too: all of them take disk space.
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
      const work = (): Promise<ImportResult> => this.received.import(spool, organizationId, query, key);
      return await this.importing.run(work, { key: organizationId });
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
}
