import { isDatabaseAway } from '../../common/errors/database-errors.js';
import { databaseHosts, placeOf } from '../../config/database-url.js';
import { Host } from './host.js';
import { choosePrimary, type HostState } from './primary-choice.js';

/** None of the hosts is a primary that may be written to: the database is away. */
class NoPrimary extends Error {
  readonly code = '08001'; // sqlclient_unable_to_establish_sqlconnection
}

/** A connection that is given up when another host becomes the primary. */
export interface Connected {
  abandon(): void;
}

/** A change of the primary. */
export interface Promotion {
  host: string;
  timeline: number;
}

/**
 * The primary among the hosts of a URL. It is asked for when the first connection is made and again when one was lost or
 * refused; `look` finds out by itself that another host was promoted.
 */
export class Primary {
  private readonly hosts: Host[];
  private readonly place: string;
  private current: Host | undefined;
  private isSure = false;
  /** The highest timeline that was seen: what has a lower one was left behind by a promotion. */
  private timeline = 0;
  private looking: Promise<Host> | undefined;
  private readonly connected = new Set<Connected>();

  private readonly listeners: ((promotion: Promotion) => void)[] = [];

  constructor(
    url: string,
    /** Whether the hosts are poolers, which repeat what the server said of itself when they first connected. */
    readonly isPooled: boolean,
  ) {
    this.hosts = databaseHosts(url).map((host) => new Host(host));
    this.place = placeOf(url);
  }

  /** Calls `listener` after each change of the primary. */
  onPromotion(listener: (promotion: Promotion) => void): void {
    this.listeners.push(listener);
  }

  /** Where to connect. Rejects where there is no primary. */
  async host(): Promise<Host> {
    return this.isSure && this.current ? this.current : this.look();
  }

  /** Has the hosts asked before the next connection is made. */
  doubt(host: Host): void {
    if (host === this.current) this.isSure = false;
  }

  /** Knows of a connection until `leave`. */
  join(connected: Connected): void {
    this.connected.add(connected);
  }

  leave(connected: Connected): void {
    this.connected.delete(connected);
  }

  /** Asks all hosts, and gives up all connections where another one was promoted. Rejects where there is none. */
  look(): Promise<Host> {
    this.looking ??= this.ask().finally(() => (this.looking = undefined));
    return this.looking;
  }

  /** Closes the connections by which the hosts were asked. */
  async rest(): Promise<void> {
    await this.looking?.catch(() => undefined);
    await Promise.all(this.hosts.map((host) => host.rest()));
  }

  private async ask(): Promise<Host> {
    const answers = this.hosts.map(async (host) => [host, await host.ask()] as const);
    const states = new Map<Host, HostState>(await Promise.all(answers));
    const chosen = choosePrimary(states, this.current, this.timeline);
    if (!chosen) {
      this.isSure = false;
      throw this.none(states);
    }
    this.follow(chosen.host, chosen.timeline);
    return chosen.host;
  }

  private follow(host: Host, timeline: number): void {
    const isPromotion = this.current !== undefined && (host !== this.current || timeline !== this.timeline);
    this.current = host;
    this.timeline = timeline;
    this.isSure = true;
    if (!isPromotion) return;
    for (const connected of this.connected) connected.abandon();
    for (const listener of this.listeners) listener({ host: `${host.name}:${host.port}`, timeline });
  }

  private none(states: ReadonlyMap<Host, HostState>): Error {
    const { errors, reasons } = this.reasonsOf(states);
    const [first] = errors;
    // No promotion mends these, such as a wrong password.
    if (first && errors.length === states.size && errors.every((error) => !isDatabaseAway(error))) return first;
    return new NoPrimary(`None of ${this.place} is a primary to write to: ${reasons.join('; ')}`);
  }

  private reasonsOf(states: ReadonlyMap<Host, HostState>): { errors: Error[]; reasons: string[] } {
    const errors = [...states.keys()].flatMap(({ error }) => error ?? []);
    const reasons = [...states].map(([{ name, port, error }, state]) => {
      if (!state)
        return `${name}:${port} does not answer (${error?.message || (error as { code?: string } | null)?.code})`;
      if (state.isStandby) return `${name}:${port} is a standby`;
      if (state.timeline < this.timeline) return `${name}:${port} was left behind by a promotion`;
      return `${name}:${port} is one of several primaries`;
    });
    return { errors, reasons };
  }
}
