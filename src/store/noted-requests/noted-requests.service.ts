import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { NotFound } from '../../platform/errors/errors.js';
import { pageOf, startOf } from '../../platform/http/cursor.js';
import { type NotedRequest as Noted, RequestLog } from '../../platform/http/request-log.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import type { NotedRequest, NotedRequestPage, NotedRequestQuery } from './noted-requests.dto.js';
import { type NotedRequestRow, NotedRequestsRepository } from './noted-requests.repository.js';

const writeEveryMs = 1_000;
/** Of one node. More than that say the same, and the log has them all. */
const mostInASecond = 20;
const mostCharacters = 1_000;
export const keptHours = 24;
const mostKept = 200_000;

/**
 * Keeps what an operator asks about for a day: requests that failed or were slow, and refusals to known callers. It is written
 * a second later, beside the requests; what a killed node did not write is in its log.
 */
@Injectable()
export class NotedRequestsService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly waiting: Noted[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: NotedRequestsRepository,
    private readonly log: RequestLog,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    this.log.onNoted((request) => this.note(request));
    this.jobs.registerRecurring({
      name: 'noted-request-retention',
      everySeconds: 600,
      deadlineSeconds: 300,
      handler: ({ signal }) => this.removeOld(signal),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    if (this.waiting.length > 0) await this.write();
  }

  /** A page of the newest ones. `Invalid` for a broken cursor. */
  async list({ size, cursor, kind, username }: NotedRequestQuery): Promise<NotedRequestPage> {
    const filter = { ...(kind && { [kind]: true }), ...(username !== undefined && { username }) };
    const rows = await this.repository.page(startOf(cursor), size + 1, filter);
    const { data, nextCursor } = await pageOf(rows, size, toNotedRequest);
    return { data, next_cursor: nextCursor };
  }

  async show(id: string): Promise<NotedRequest> {
    const row = await this.repository.byRequestId(id);
    if (row) return toNotedRequest(row);
    throw new NotFound(
      `No request of this id failed, was slow, or was refused to a known caller within ${keptHours} hours: ` +
        'the log of the service may have it',
    );
  }

  /** Removes what is older, and what is beyond the most that are kept. */
  async removeOld(signal?: AbortSignal): Promise<void> {
    while (await this.repository.removeOld(keptHours, mostKept)) signal?.throwIfAborted();
  }

  private note(request: Noted): void {
    if (this.waiting.length >= mostInASecond) return;
    this.waiting.push(request);
    this.timer ??= setTimeout(() => void this.write(), writeEveryMs).unref();
  }

  private async write(): Promise<void> {
    const rows = this.waiting.splice(0).map(toRow);
    this.timer = undefined;
    // While the database is away, the log alone has them.
    await this.repository.append(JSON.stringify(rows)).catch(() => undefined);
  }
}

/** PostgreSQL's text holds no NUL. */
const shortened = (text: string | null): string | null =>
  text === null ? null : text.replaceAll('\0', '').slice(0, mostCharacters);

function toRow({ id: requestId, url, refusal, failure, ...same }: Noted): Record<string, unknown> {
  const texts = { url: shortened(url), refusal: shortened(refusal), failure: shortened(failure) };
  return { ...same, ...texts, id: uuidV7(), requestId };
}

function kindOf(status: number): NotedRequest['kind'] {
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'slow';
}

function toNotedRequest({
  requestId,
  createdAt,
  userId,
  keyId,
  organizationId,
  ...row
}: NotedRequestRow): NotedRequest {
  const { id: _id, traceId, ...same } = row;
  return {
    ...same,
    request_id: requestId,
    ended_at: createdAt,
    kind: kindOf(row.status),
    user_id: userId,
    key_id: keyId,
    organization_id: organizationId,
    trace_id: traceId,
  };
}
