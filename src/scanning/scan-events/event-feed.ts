import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { ChangeBus } from '../../platform/changes/change-bus.js';
import { serviceLogger } from '../../platform/http/request-log.js';
import { afterBatch, type ArrivalPosition } from './arrival-cursor.js';
import { organizationOfArrivals } from '../arrival-tags.js';
import type { Followed } from './asked-follow.js';
import type { EventFilters } from './event-filters.js';
import { type NumberedState, positionAfter } from './event-numbers.repository.js';
import { EventNumbersService } from './event-numbers.service.js';
import { EventStreamRepository, type FoundArrivals } from './event-stream.repository.js';
import { type ChangedScan, ScanChangesRepository } from './scan-changes.repository.js';
import { StreamedEvent } from './streamed-event.js';
import { StreamedScan } from './streamed-scan.js';

/** The shortest time between two beats; events that arrive in between are sent together. */
const gatherMs = 100;
/** The longest time before a beat finds a change without a notice. */
const unpromptedMs = 1_000;

/** The findings of a beat for a listener. */
export interface Arrivals {
  /** Its matching events, in the order of their arrival. */
  events: StreamedEvent[];
  /** The changed scans, where any listener follows those of the organization. */
  scans: StreamedScan[];
  /** The position after them. */
  next: ArrivalPosition;
  /** The position after all arrivals. */
  last: ArrivalPosition;
}

/** Follows the events of an organization that match filters, changes of its scans, or both. */
export interface Listener {
  readonly organizationId: string;
  readonly followed: Followed;
  receive(arrivals: Arrivals): void;
  /** The database has restarted from an older state: no position leads on. */
  lose(): void;
}

/**
 * Looks for arrivals on behalf of all listeners of this node together, by one statement a beat, every second, and by
 * two soon after a notice of an append, here or on another node; by one more for changed scans, if there are new
 * arrivals and somebody follows scans.
 */
@Injectable()
export class EventFeed implements OnModuleDestroy {
  private readonly listeners = new Set<Listener>();
  /** Organizations with appends since the last beat. */
  private noticed = new Set<string>();
  /** The position up to which each organization has been followed. */
  private readonly positions = new Map<string, ArrivalPosition>();
  private beating: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Infinity;
  private lastBeatAt = 0;
  /** Listeners that have not had a beat yet, with the function to call after their first. */
  private readonly joining = new Map<Listener, () => void>();

  constructor(
    private readonly repository: EventStreamRepository,
    private readonly numbers: EventNumbersService,
    private readonly scanChanges: ScanChangesRepository,
    changes: ChangeBus,
    @Inject(serviceLogger) private readonly logger: Logger,
  ) {
    changes.onChange((cacheTags) => {
      const ids = cacheTags.map(organizationOfArrivals);
      for (const id of ids) if (id !== null && this.positions.has(id)) this.noticed.add(id);
      if (this.noticed.size > 0) this.wake();
    });
    changes.onMissed(() => this.wake());
  }

  onModuleDestroy(): void {
    for (const listener of this.listeners) this.remove(listener);
  }

  /** Calls the listener with the findings of every beat from now on; returns after the first one. */
  async add(listener: Listener): Promise<void> {
    // A beat in progress asks without this listener's filters.
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

  /** Starts a beat as soon as one may start. */
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
      // The database cannot be reached: a later beat finds these events.
      this.logger.warn({ err: error }, 'event streams wait for the database');
    }
    this.lastBeatAt = performance.now();
    this.beatIn(unfinished ? 0 : unpromptedMs);
  }

  /** One beat; returns whether more has already arrived. */
  private async lookOnce(listeners: Listener[]): Promise<boolean> {
    const groups = groupsOf(listeners);
    const { noticed } = this;
    this.noticed = new Set();
    if (noticed.size > 0) await this.numbers.number([...noticed]);
    let found = await this.look(groups);
    // Appends from here on have a notice of their own, and a beat.
    const behind = found.filter(({ id, state }) => !state || (state.isBehind && !noticed.has(id))).map(({ id }) => id);
    if (behind.length > 0) {
      await this.numbers.number(behind);
      found = await this.look(groups);
    }
    const steps = found.map((own) => stepOf(this.positions.get(own.id) ?? null, own));
    const changed = await this.changedIn(groups, steps);
    const unfinished = steps.map((step) => this.goOn(groups, step, changed.get(step.id) ?? []));
    for (const listener of listeners) this.joined(listener);
    this.forgetUnfollowed();
    return unfinished.includes(true);
  }

  private look(groups: Group[]): Promise<FoundArrivals[]> {
    const ids = [...new Set(groups.map(({ organizationId }) => organizationId))];
    const followed = ids.map((id) => ({ id, position: this.positions.get(id) ?? null }));
    const asked = groups.flatMap(({ organizationId, filters }, filter) =>
      filters === null ? [] : { organizationId, filters, filter },
    );
    return this.repository.arrived(followed, asked);
  }

  /** The scans that changed in the batches that listeners are about to pass. */
  private async changedIn(groups: Group[], steps: Step[]): Promise<Map<string, ChangedScan[]>> {
    const asked = new Set(groups.filter(({ hasScans }) => hasScans).map(({ organizationId }) => organizationId));
    const passed = steps.flatMap(({ id, before, next }) =>
      before && next && asked.has(id) ? { id, from: before.number, to: next.number } : [],
    );
    return this.scanChanges.changedIn(passed);
  }

  /** Gives the findings to the listeners of the organization; returns whether there is more. */
  private goOn(groups: Group[], step: Step, changed: ChangedScan[]): boolean {
    const { id } = step;
    const own = groups.map((group, filter) => ({ ...group, filter })).filter((group) => group.organizationId === id);
    if (!step.next) {
      this.positions.delete(id);
      for (const { listeners } of own) for (const listener of listeners) listener.lose();
      return false;
    }
    const { next, last, rows, more } = step;
    this.positions.set(id, next);
    const scans = changed.map((scan) => new StreamedScan(scan));
    for (const { filter, listeners } of own) {
      const events = rows.filter(({ matches }) => matches.includes(filter)).map(({ event }) => event);
      const arrivals = { events, scans, next, last };
      for (const listener of listeners) if (this.listeners.has(listener)) listener.receive(arrivals);
    }
    return more;
  }

  private forgetUnfollowed(): void {
    const followed = new Set([...this.listeners].map(({ organizationId }) => organizationId));
    for (const id of this.positions.keys()) if (!followed.has(id)) this.positions.delete(id);
  }
}

interface Group {
  organizationId: string;
  filters: EventFilters | null;
  /** Whether a listener follows scans. */
  hasScans: boolean;
  listeners: Listener[];
}

/** Groups the listeners by the events that they ask for. */
function groupsOf(listeners: Listener[]): Group[] {
  const groups = new Map<string, Group>();
  for (const listener of listeners) {
    const { organizationId, followed } = listener;
    const { filters } = followed;
    const key = JSON.stringify([organizationId, filters]);
    const group = groups.get(key) ?? { organizationId, filters, hasScans: false, listeners: [] };
    group.listeners.push(listener);
    group.hasScans ||= followed.scans !== null;
    groups.set(key, group);
  }
  return [...groups.values()];
}

interface FoundEvent {
  event: StreamedEvent;
  matches: number[];
}

/** How a look continues from a position, which is null at first; `next` is null if no position leads on. */
type Step = { id: string; before: ArrivalPosition | null } & (
  { next: null; last: null } | { next: ArrivalPosition; last: ArrivalPosition; rows: FoundEvent[]; more: boolean }
);

function stepOf(before: ArrivalPosition | null, { id, state, rows }: FoundArrivals): Step {
  if (!state || (before && isLost(before, state))) return { id, before, next: null, last: null };
  const { epoch } = state;
  const events = rows.map((row) => {
    const event = new StreamedEvent(row, { epoch, number: row.number, id: row.id });
    return { event, matches: row.matches };
  });
  const last = afterBatch(epoch, state.last);
  const cutAt = (rows[0]?.total ?? 0) > rows.length ? events.at(-1)?.event.position : undefined;
  const next = cutAt ?? (before ? positionAfter(before, state) : last);
  const more = before !== null && (cutAt !== undefined || state.lookedTo !== null);
  return { id, before, next, last, rows: events, more };
}

/** Whether the database's history differs from the position's. */
function isLost(position: ArrivalPosition, { epoch, isAhead }: NumberedState): boolean {
  return epoch !== position.epoch || isAhead;
}
