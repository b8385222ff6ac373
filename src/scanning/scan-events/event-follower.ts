import type { Response } from 'express';
import { type ArrivalPosition, encodeArrival, isAfter } from './arrival-cursor.js';
import type { Arrivals, Listener } from './event-feed.js';
import { type Followed, isInScope } from './asked-follow.js';
import type { ArrivalPage } from './scan-events.service.js';
import { StreamedEvent } from './streamed-event.js';
import { StreamedScan } from './streamed-scan.js';

/** The most bytes that wait for a slow reader before it is cut off: more than one beat brings. */
const mostWaitingBytes = 12 * 2 ** 20;
/** How long a reader may leave all of it unread. */
const stuckMs = 20_000;
/** How long a reader has to read the message that its stream ends. */
const endPatienceMs = 5_000;

/** The reasons for the end of a stream, with advice for the follower. */
const endings = {
  access_ended: {
    detail: 'The access token, API key or membership is no longer valid: sign in again',
    retryMs: 30_000,
  },
  slow_reader: { detail: 'The events were read too slowly: reconnect with the last id', retryMs: 1_000 },
  stopping: { detail: 'The node is stopping: reconnect with the last id', retryMs: 1_000 },
  restored: { detail: 'The database was restored: reconnect without an id, and list the events anew', retryMs: 5_000 },
  failed: { detail: 'Earlier events could not be read: reconnect with the last id', retryMs: 5_000 },
} as const;
export type Ending = keyof typeof endings;

/** One stream of events, as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class EventFollower implements Listener {
  private isOpen = false;
  private hasEnded = false;
  private position: ArrivalPosition | null = null;
  /** Arrivals while earlier events are still being sent; null once they are. */
  private waiting: Arrivals[] | null;
  private waitingBytes = 0;
  private behindSince: number | null = null;

  constructor(
    readonly organizationId: string,
    readonly followed: Followed,
    private readonly response: Response,
    isCatchingUp: boolean,
  ) {
    this.waiting = isCatchingUp ? [] : null;
  }

  get isEnded(): boolean {
    return this.hasEnded || this.response.closed;
  }

  /** Waits until the reader has read everything. */
  async drained(): Promise<void> {
    const { response } = this;
    if (this.isEnded || !response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        response.off('drain', done).off('close', done);
        resolve();
      };
      response.on('drain', done).on('close', done);
    });
  }

  /** Sends the headers. Nothing between here and the reader may hold events back. */
  open(): void {
    this.isOpen = true;
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    this.response.write(`: open\nretry: 2000\n${this.position ? idOf(this.position) : ''}\n`);
  }

  receive(arrivals: Arrivals): void {
    if (!this.waiting) return this.take(arrivals);
    this.waiting.push(arrivals);
    const waiting = [...arrivals.events, ...(this.followed.scans ? arrivals.scans : [])];
    this.waitingBytes += waiting.reduce((sum, { length }) => sum + length, 0);
    if (this.waitingBytes > mostWaitingBytes) this.end('slow_reader');
  }

  lose(): void {
    this.end('restored');
  }

  /** Sends the events that arrived before the follower came. */
  catchUp({ rows, scans, epoch, next }: ArrivalPage): void {
    for (const row of rows) this.write(new StreamedEvent(row, { epoch, number: row.number, id: row.id }).bytes);
    for (const scan of scans) this.write(new StreamedScan(scan).bytes);
    this.moveTo(next);
  }

  /** Continues with the arrivals since. */
  goLive(): void {
    const waiting = this.waiting ?? [];
    this.waiting = null;
    for (const arrivals of waiting) this.take(arrivals);
  }

  /** Keeps the connection and the cursor alive, or cuts off a reader that does not read. */
  beat(): void {
    if (!this.response.writableNeedDrain) {
      this.behindSince = null;
      if (!this.waiting) this.write(this.position ? `: beat\n${idOf(this.position)}\n` : ': beat\n\n');
      return;
    }
    this.behindSince ??= performance.now();
    if (performance.now() - this.behindSince > stuckMs) this.end('slow_reader');
  }

  /** Tells the reader why the stream ends, and closes it. */
  end(ending: Ending): void {
    if (this.isEnded) return;
    this.hasEnded = true;
    const { detail, retryMs } = endings[ending];
    const data = JSON.stringify({ reason: ending, detail });
    this.response.end(`retry: ${retryMs}\nevent: end\ndata: ${data}\n\n`);
    const { response } = this;
    setTimeout(() => response.destroy(), endPatienceMs).unref();
  }

  private take({ events, scans, next, last }: Arrivals): void {
    const { position } = this;
    // From now on: the first beat's findings are older.
    if (position === null) return this.moveTo(last);
    for (const event of events) if (isAfter(event.position, position)) this.write(event.bytes);
    if (!isAfter(next, position)) return;
    this.position = next;
    if (this.writeScans(scans, position) > 0) this.moveTo(next);
  }

  /** The ones after a position; returns their number. */
  private writeScans(scans: StreamedScan[], { number }: ArrivalPosition): number {
    const scope = this.followed.scans;
    const own = scope ? scans.filter(({ scan }) => scan.number >= number && isInScope(scope, scan)) : [];
    for (const { bytes } of own) this.write(bytes);
    return own.length;
  }

  private moveTo(position: ArrivalPosition): void {
    this.position = position;
    this.write(`${idOf(position)}\n`);
  }

  private write(bytes: Buffer | string): void {
    if (this.isEnded || !this.isOpen) return;
    if (this.response.writableLength > mostWaitingBytes) this.end('slow_reader');
    else this.response.write(bytes);
  }
}

function idOf(position: ArrivalPosition): string {
  return `id: ${encodeArrival(position)}\n`;
}
