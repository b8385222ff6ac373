import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { ChangeBus } from '../../common/changes/change-bus.js';
import { serviceLogger } from '../../common/http/request-log.js';
import { type ArrivalPosition, afterSnapshot, includesSnapshot } from './arrival-cursor.js';
import { organizationOfArrivals } from './event-cache-tags.js';
import type { EventFilters } from './event-filters.js';
import { type ArrivedRow, EventStreamRepository } from './event-stream.repository.js';
import { StreamedEvent } from './streamed-event.js';

/** The shortest time between two beats: what arrives meanwhile comes together. */
const gatherMs = 100;
/** How long a change goes unnoticed of which no notice came. */
const unpromptedMs = 1_000;

/** What a beat found for a listener. */
export interface Arrivals {
  /** Those that match its filters, in the order of their arrival. */
  events: StreamedEvent[];
  /** The position that they follow. */
  seen: string;
  /** The snapshot that they are in. */
  until: string;
  /** The position after them. */
  next: ArrivalPosition;
  /** The snapshot of the beat. */
  now: string;
}

/** Follows the events of an organization that match filters. */
export interface Listener {
  readonly organizationId: string;
  readonly filters: EventFilters;
  receive(arrivals: Arrivals): void;
  /** The database began anew, from an older state: no position leads on. */
  lose(): void;
}

/**
 * Looks for what arrived on behalf of all listeners of this node together, one statement a beat: soon after a notice of
 * an append, here or on another node, and every second without one.
 */
@Injectable()
export class EventFeed implements OnModuleDestroy {
  private readonly listeners = new Set<Listener>();
  /** How far each organization was followed. */
  private readonly positions = new Map<string, ArrivalPosition>();
  private beating: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Infinity;
  private lastBeatAt = 0;
  /** Listeners for which no beat has looked yet, with what to call when one has. */
  private readonly joining = new Map<Listener, () => void>();

  constructor(
    private readonly repository: EventStreamRepository,
    changes: ChangeBus,
    @Inject(serviceLogger) private readonly logger: Logger,
  ) {
    changes.onChange((cacheTags) => {
      if (cacheTags.some((tag) => this.isFollowed(tag))) this.wake();
    });
    changes.onMissed(() => this.wake());
  }

  onModuleDestroy(): void {
    for (const listener of this.listeners) this.remove(listener);
  }

  /** Calls the listener with what every beat from now on finds; returns after the first one. */
  async add(listener: Listener): Promise<void> {
    // A beat under way asks without this listener's filters.
    while (this.beating) await this.beating;
    await new Promise<void>((resolve) => {
      this.listeners.add(listener);
      this.joining.set(listener, resolve);
      this.wake();
    });
  }

  remove(listener: Listener): void {
    this.listeners.delete(listener);
    this.joined(listener);
    if (this.listeners.size > 0) return;
    clearTimeout(this.timer);
    this.dueAt = Infinity;
    this.positions.clear();
  }

  private joined(listener: Listener): void {
    this.joining.get(listener)?.();
    this.joining.delete(listener);
  }

  private isFollowed(tag: string): boolean {
    const organizationId = organizationOfArrivals(tag);
    return organizationId !== null && this.positions.has(organizationId);
  }

  /** Has a beat begin as soon as one may. */
  private wake(): void {
    this.beatIn(Math.max(0, this.lastBeatAt + gatherMs - performance.now()));
  }

  private beatIn(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (this.listeners.size === 0 || at >= this.dueAt) return;
    clearTimeout(this.timer);
    this.dueAt = at;
    this.timer = setTimeout(() => {
      this.dueAt = Infinity;
      if (this.beating) this.wake();
      else this.beating = this.beat().finally(() => (this.beating = undefined));
    }, milliseconds);
  }

  private async beat(): Promise<void> {
    this.lastBeatAt = performance.now();
    let unfinished = false;
    try {
      unfinished = await this.lookOnce([...this.listeners]);
    } catch (error) {
      // The database is away: what arrives meanwhile is found when it is back.
      this.logger.warn({ err: error }, 'followers of events wait for the database');
    }
    this.lastBeatAt = performance.now();
    this.beatIn(unfinished ? 0 : unpromptedMs);
  }

  /** One beat; returns whether more has arrived already. */
  private async lookOnce(listeners: Listener[]): Promise<boolean> {
    const groups = groupsOf(listeners);
    const followed = [...this.positions].map(([id, position]) => ({ id, position }));
    const filters = groups.map((group, number) => ({ ...group, number }));
    const { now, rows } = await this.repository.arrived(followed, filters);
    if (followed.some(({ position }) => !includesSnapshot(now, position.seen))) {
      this.positions.clear();
      for (const listener of listeners) listener.lose();
      return false;
    }
    const eventsOf = new Map(rows.map((row) => [row, new StreamedEvent(row)]));
    for (const [organizationId, own] of this.advanced(groups, rows, now)) {
      for (const [number, group] of groups.entries()) {
        if (group.organizationId !== organizationId) continue;
        const matching = own.rows.filter(({ matches }) => matches.includes(number));
        const arrivals = { ...own.page, events: matching.flatMap((row) => eventsOf.get(row) ?? []) };
        for (const listener of group.listeners) if (this.listeners.has(listener)) listener.receive(arrivals);
      }
    }
    for (const listener of listeners) this.joined(listener);
    this.forgetUnfollowed();
    return [...this.positions.values()].some(({ until }) => until !== null);
  }

  /** Moves the position of each organization on; returns what was found between the old one and the new one. */
  private advanced(groups: Group[], rows: ArrivedRow[], now: string) {
    const ids = new Set(groups.map(({ organizationId }) => organizationId));
    return new Map(
      [...ids].map((organizationId) => {
        const own = rows.filter((row) => row.organizationId === organizationId);
        const before = this.positions.get(organizationId) ?? afterSnapshot(now);
        const until = before.until ?? now;
        const next = positionAfter(own, before, until);
        this.positions.set(organizationId, next);
        return [organizationId, { rows: own, page: { seen: before.seen, until, next, now } }] as const;
      }),
    );
  }

  private forgetUnfollowed(): void {
    const followed = new Set([...this.listeners].map(({ organizationId }) => organizationId));
    for (const id of this.positions.keys()) if (!followed.has(id)) this.positions.delete(id);
  }
}

interface Group {
  organizationId: string;
  filters: EventFilters;
  listeners: Listener[];
}

/** The listeners by what they ask for. */
function groupsOf(listeners: Listener[]): Group[] {
  const groups = new Map<string, Group>();
  for (const listener of listeners) {
    const { organizationId, filters } = listener;
    const key = JSON.stringify([organizationId, filters]);
    const known = groups.get(key);
    if (known) known.listeners.push(listener);
    else groups.set(key, { organizationId, filters, listeners: [listener] });
  }
  return [...groups.values()];
}

function positionAfter(rows: ArrivedRow[], { seen }: ArrivalPosition, until: string): ArrivalPosition {
  const last = rows.at(-1);
  const more = last !== undefined && last.total > rows.length;
  return more ? { seen, until, arrived: last.arrived, id: last.id } : afterSnapshot(until);
}
