import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { LastingAccess } from '../../platform/auth/lasting-access.js';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.js';
import { Unavailable } from '../../platform/errors/errors.js';
import { measureUntilNow, serviceLogger } from '../../platform/http/request-log.js';
import { type ArrivalPosition, decodeArrival } from './arrival-cursor.js';
import { followedBy } from './asked-follow.js';
import { EventFeed } from './event-feed.js';
import { EventFollower } from './event-follower.js';
import { EventFollowers } from './event-followers.js';
import { type ArrivalPage, ScanEventsService } from './scan-events.service.js';
import type { EventStreamFilter } from './scan-events.dto.js';

const pageSize = 100;
const comeBackSeconds = 5;
/** Many reconnect at once after a restart: only a few of them read the events that they missed at the same time. */
const bounds = { atOnce: 4, atOncePerKey: 2, waiting: 2_000, waitMs: 30_000 };

/** Streams events to callers as they arrive. */
@Injectable()
export class EventStreamsService {
  private readonly catchingUp = new FairSemaphore(bounds);

  constructor(
    private readonly feed: EventFeed,
    private readonly followers: EventFollowers,
    private readonly events: ScanEventsService,
    private readonly access: LastingAccess,
    @Inject(serviceLogger) private readonly logger: Logger,
  ) {}

  /**
   * Responds with a stream of the events that arrive from now on or, with a cursor, since then: each event once, with the
   * cursor after it. `Invalid` for a broken cursor and for filters as lists; `RateExceeded` and `Unavailable` for too many
   * streams.
   */
  async open(
    request: Request,
    response: Response,
    caller: OrganizationCaller,
    asked: EventStreamFilter,
  ): Promise<void> {
    const { cursor, followed } = wishOf(request, asked);
    if (request.method === 'HEAD') {
      response.type('text/event-stream').end();
      return;
    }
    const follower = new EventFollower(caller.organizationId, followed, response, cursor !== null);
    const following = { ...this.access.admissionOf(request, caller), follower };
    await this.followers.add(following);
    const leave = (): void => {
      this.feed.remove(follower);
      this.followers.remove(following);
    };
    if (response.destroyed) return leave();
    response.once('close', leave);
    try {
      await this.feed.add(follower);
      const first = cursor && (await this.page(follower, cursor));
      follower.open();
      measureUntilNow(response);
      if (first) await this.catchUp(follower, first);
    } catch (error) {
      leave();
      if (!response.headersSent) throw error;
      this.logger.warn({ err: error }, 'an event stream could not catch up');
      follower.end('failed');
    }
  }

  /** Sends the earlier arrivals as fast as the follower reads. */
  private async catchUp(follower: EventFollower, first: ArrivalPage): Promise<void> {
    follower.catchUp(first);
    for (let page = first; page.more && !follower.isEnded;) {
      await follower.drained();
      page = await this.page(follower, page.next);
      follower.catchUp(page);
    }
    follower.goLive();
  }

  private page({ organizationId, followed }: EventFollower, after: ArrivalPosition): Promise<ArrivalPage> {
    const read = () => this.events.arrivedAfter(organizationId, after, pageSize, followed);
    const sentence = 'Too many event streams are catching up: try again in a few seconds';
    const refusal = () => new Unavailable(sentence, 'busy', comeBackSeconds);
    return this.catchingUp.run(read, { key: organizationId, refusal });
  }
}

/** The header, which a reconnecting client sends by itself, is newer than the address. */
function wishOf({ headers }: Request, { after, ...asked }: EventStreamFilter) {
  const lastId = headers['last-event-id'];
  const followed = followedBy(asked);
  if (typeof lastId === 'string' && lastId !== '') {
    return { cursor: decodeArrival(lastId, ['header', 'last-event-id']), followed };
  }
  return { cursor: after === undefined ? null : decodeArrival(after), followed };
}
