import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Settings } from '../../config/settings.js';
import { isLimited, limitKeyOf, type TrustsProxy } from '../net/caller-address.js';

type Bounds = Pick<Settings, 'maxConnections' | 'answerMemoryMegabytes' | 'unreadSeconds'>;

/** The share of the memory for responses that one address may use. */
const shareOfAddress = 1 / 4;
const lookMs = 250;
/** When all connections are in use, a reader that has been behind for this long is disconnected. */
const patienceWhenFullMs = 5_000;
const freedWhenFull = 1 / 20;

/** A connection of a client. */
class Reader {
  readonly answers = new Set<ServerResponse>();
  /** Since when none of the waiting bytes were sent; a large write is sent as one. */
  behindSince = 0;
  unsent = 0;
  private sent = 0;
  hasAsked = false;

  constructor(
    readonly socket: Socket,
    /** Undefined if the address stands for many callers. */
    readonly address: string | undefined,
  ) {}

  /** Counts the bytes that wait to be sent; those of answers behind another one wait in the answers. */
  look(now: number): void {
    this.unsent = this.socket.writableLength;
    for (const answer of this.answers) if (!answer.socket) this.unsent += answer.writableLength;
    const sent = this.socket.bytesWritten - this.socket.writableLength;
    if (this.unsent === 0 || sent !== this.sent) this.behindSince = now;
    this.sent = sent;
  }

  /** Ends it at once, with what the system keeps for it. */
  end(): void {
    this.unsent = 0;
    this.socket.resetAndDestroy();
  }
}

/**
 * Bounds the memory for clients that do not read their responses. It closes a connection that reads nothing for a
 * while. If the unsent bytes of one address, or of all, exceed their budget, it closes the connections that have been
 * behind for longest.
 */
class SlowReaders {
  private readonly readers = new Map<Socket, Reader>();

  constructor(
    private readonly bounds: Bounds,
    private readonly trustsProxy: TrustsProxy,
  ) {}

  connect(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const key = limitKeyOf(address);
    const standsForMany = !isLimited(key) || this.trustsProxy(address, 0);
    this.readers.set(socket, new Reader(socket, standsForMany ? undefined : key));
    socket.once('close', () => this.readers.delete(socket));
  }

  answer(socket: Socket, response: ServerResponse): void {
    const reader = this.readers.get(socket);
    if (!reader) return;
    reader.hasAsked = true;
    reader.answers.add(response);
    response.once('close', () => reader.answers.delete(response));
  }

  /**
   * Called where nothing came or went for a while; Node counts the parts of a write that leave. While an answer is
   * being made, or a first request arrives, other limits hold: what waits behind that answer is not the client's fault.
   */
  rest(socket: Socket): void {
    const reader = this.readers.get(socket);
    if (!reader || socket.writableLength > 0) socket.resetAndDestroy();
    else if (reader.hasAsked && reader.answers.size === 0) socket.destroy();
  }

  look(): void {
    const now = performance.now();
    const behind: Reader[] = [];
    for (const reader of this.readers.values()) {
      reader.look(now);
      if (reader.unsent > 0) behind.push(reader);
    }
    if (behind.length === 0) return;
    behind.sort((one, other) => one.behindSince - other.behindSince);
    this.keepBudget(behind);
    this.keepRoom(behind, now);
  }

  private keepBudget(behind: readonly Reader[]): void {
    const most = this.bounds.answerMemoryMegabytes * 2 ** 20;
    const ofAddress = new Map<string, number>();
    let ofAll = 0;
    for (const { address, unsent } of behind) {
      ofAll += unsent;
      if (address !== undefined) ofAddress.set(address, (ofAddress.get(address) ?? 0) + unsent);
    }
    for (const reader of behind) {
      const { address, unsent } = reader;
      const own = address === undefined ? 0 : (ofAddress.get(address) ?? 0);
      if (ofAll <= most && own <= most * shareOfAddress) continue;
      ofAll -= unsent;
      if (address !== undefined) ofAddress.set(address, own - unsent);
      reader.end();
    }
  }

  private keepRoom(behind: readonly Reader[], now: number): void {
    const { maxConnections } = this.bounds;
    if (this.readers.size < maxConnections) return;
    const late = behind.filter(({ behindSince }) => now - behindSince >= patienceWhenFullMs);
    for (const reader of late.slice(0, Math.ceil(maxConnections * freedWhenFull))) reader.end();
  }
}

/**
 * Bounds the time and the memory that answers wait for their readers. Call it once all of the server's listeners are
 * there.
 */
export function boundSlowReaders(server: Server, bounds: Bounds, trustsProxy: TrustsProxy): void {
  const unread = new SlowReaders(bounds, trustsProxy);
  server.timeout = bounds.unreadSeconds * 1_000;
  server.on('timeout', (socket: Socket) => unread.rest(socket));
  server.on('connection', (socket: Socket) => unread.connect(socket));
  server.prependListener('request', ({ socket }, response) => unread.answer(socket, response));
  const looking = setInterval(() => unread.look(), lookMs).unref();
  server.once('close', () => clearInterval(looking));
}
