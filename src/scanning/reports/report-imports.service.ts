import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { busy } from '../../platform/concurrency/busy.js';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.js';
import { Occupancy } from '../../platform/concurrency/occupancy.js';
import { RateExceeded } from '../../platform/errors/errors.js';
import { validated } from '../../platform/validation/validated.js';
import { Settings } from '../../config/settings.js';
import { type AskedImport, ReceivedReportsService } from './received-reports.service.js';
import { receiveReport } from './report-body.js';
import { ReportProfilesService } from './report-profiles.service.js';
import type { Fields } from './report-text.js';
import { ImportQuery } from './import-query.dto.js';
import type { ImportResult } from './reports.dto.js';

// An import holds a connection and some memory while it runs; waiting ones hold neither.
const bounds = { atOnce: 2, waiting: 30, waitingPerKey: 16, waitMs: 300_000 };
const comeBackSeconds = 10;
const refusal = busy(
  'Too many reports of your organization are waiting to be imported: wait for their responses',
  'Too many reports are being imported at the moment: try again in a minute',
  comeBackSeconds,
);

/** Receives reports of other tools and turns them into scans, a few at once. */
@Injectable()
export class ReportImportsService {
  private readonly importing = new FairSemaphore(bounds);

  constructor(
    private readonly settings: Settings,
    private readonly profiles: ReportProfilesService,
    private readonly received: ReceivedReportsService,
    private readonly occupancy: Occupancy,
  ) {}

  /**
   * Turns the report in a request into a scan, all of it or nothing, and returns the outcome of every finding. `NotFound` for a
   * profile of another organization; `Invalid` for an asset that cannot be identified or created; `Invalid`,
   * `PayloadTooLarge`, `UnsupportedMediaType` for the report; `Unavailable` where too many imports are waiting,
   * `RateExceeded` and `TooManyRequests` where too many of the organization are, `RateExceeded` where it has more events than
   * the organization may append in a day. With an Idempotency-Key: the answer to the same earlier import, `Conflict` while that
   * is running, `Invalid` for a key that another one had.
   */
  async import(asked: AskedImport, request: Request, response: Response): Promise<ImportResult> {
    const { organizationId, query } = asked;
    await this.assertProfile(organizationId, query);
    const { imports } = this.settings.quotas;
    // Imports that are being received or waiting count too: all of them take disk space.
    const place = this.occupancy.take([{ name: `imports ${organizationId}`, most: imports.limit }]);
    if ('full' in place) throw new RateExceeded(imports, comeBackSeconds);
    try {
      return await this.receiveAndImport(asked, request, response);
    } finally {
      place.leave();
    }
  }

  private async receiveAndImport(asked: AskedImport, request: Request, response: Response): Promise<ImportResult> {
    const { organizationId } = asked;
    const { spool, fields } = await receiveReport(request, response, this.settings.importMaxMegabytes);
    try {
      const query = withFields(asked.query, fields, request);
      if (query !== asked.query) await this.assertProfile(organizationId, query);
      const work = (): Promise<ImportResult> => this.received.import(spool, { ...asked, query });
      return await this.importing.run(work, { key: organizationId, refusal });
    } finally {
      await spool.close();
    }
  }

  private async assertProfile(organizationId: string, { profileId }: ImportQuery): Promise<void> {
    if (profileId !== undefined) await this.profiles.assertOwn(organizationId, profileId);
  }
}

/**
 * The query with the fields of the form that the report came in, which may be sent either way; a parameter of the address
 * counts before a field of its name. `Invalid` for a field that is no parameter.
 */
function withFields(query: ImportQuery, fields: Fields, request: Request): ImportQuery {
  if (Object.keys(fields).length === 0) return query;
  return validated(ImportQuery, { ...fields, ...request.query }, 'body', { strict: true, textual: true });
}
