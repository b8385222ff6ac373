import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { type Admission, LastingAccess } from '../../platform/auth/lasting-access.js';
import { Occupancy } from '../../platform/concurrency/occupancy.js';
import { RateExceeded, Unavailable } from '../../platform/errors/errors.js';
import { Metrics } from '../../platform/http/metrics.js';
import { serviceLogger } from '../../platform/http/request-log.js';
import { ServiceLife } from '../../platform/http/service-life.js';
import { Settings } from '../../config/settings.js';
import type { EventFollower } from './event-follower.js';

// Unspecified: how often a quiet stream shows that it lives; proxies close one that is silent for a minute.
const heartbeatMs = 15_000;
/** Notices within two seconds that access ended, as the service does everywhere. */
const accessCheckMs = 1_400;
const comeBackSeconds = 30;

export interface Following extends Admission {
  follower: EventFollower;
}

/** The open streams of this node: limits their number, and ends each in time. */
@Injectable()
export class EventFollowers implements OnModuleDestroy {
  /** The open streams, with a function that frees their place. */
  private readonly open = new Map<Following, () => void>();
  private heartbeat: NodeJS.Timeout | undefined;
  private accessCheck: NodeJS.Timeout | undefined;

  constructor(
    private readonly access: LastingAccess,
    private readonly settings: Settings,
    private readonly life: ServiceLife,
    private readonly occupancy: Occupancy,
    metrics: Metrics,
    @Inject(serviceLogger) private readonly logger: Logger,
  ) {
    metrics.watch('event_followers', 'Open event streams', () => this.open.size);
    life.onStopping(() => this.endAll());
  }

  onModuleDestroy(): void {
    this.endAll();
  }

  /** Counts a stream; `RateExceeded` where the organization, `Unavailable` where the node has its most. */
  async add(following: Following): Promise<void> {
    if (this.life.stopping) throw new Unavailable('This node is stopping', 'stopping', 1);
    const { quotas, mostEventFollowers } = this.settings;
    const place = this.occupancy.take([
      { name: `followers ${following.member.organizationId}`, most: quotas.followers.limit },
      { name: 'followers', most: mostEventFollowers },
    ]);
    if ('leave' in place) return this.opened(following, place.leave);
    if (place.full === 0) throw new RateExceeded(quotas.followers, comeBackSeconds);
    throw new Unavailable(
      'Too many event streams are open on this node: poll GET /api/v1/events/arrivals instead',
      'busy',
      comeBackSeconds,
    );
  }

  private opened(following: Following, leave: () => void): void {
    this.open.set(following, leave);
    this.heartbeat ??= setInterval(() => this.beat(), heartbeatMs).unref();
    this.accessCheck ??= setInterval(() => void this.endWithoutAccess(), accessCheckMs).unref();
  }

  remove(following: Following): void {
    this.open.get(following)?.();
    this.open.delete(following);
    if (this.open.size > 0) return;
    clearInterval(this.heartbeat);
    clearInterval(this.accessCheck);
    [this.heartbeat, this.accessCheck] = [undefined, undefined];
  }

  private beat(): void {
    for (const { follower } of this.open.keys()) follower.beat();
  }

  private async endWithoutAccess(): Promise<void> {
    try {
      for (const { follower } of await this.access.ended([...this.open.keys()])) follower.end('access_ended');
    } catch (error) {
      // Without the database no event comes either.
      this.logger.warn({ err: error }, 'the access of open event streams cannot be checked');
    }
  }

  private endAll(): void {
    for (const { follower } of this.open.keys()) follower.end('stopping');
  }
}
