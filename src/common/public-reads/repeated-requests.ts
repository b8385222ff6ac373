import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';

/** The longest request that is remembered, in bytes; a browser's take some 600. */
const longestRequest = 2_048;
/** The memory for all remembered requests, in bytes, with what each takes beside its text. */
const mostBytes = 4 * 2 ** 20;
const entryBytes = 400;

/** Line and headers of a request, without the line ends that some readers take and others do not. */
const strictHead = /^[A-Z]+ [^\r\n]+ HTTP\/1\.1\r\n(?:[^\r\n]+\r\n)+\r\n$/;

/** Headers by which a request is none of those whose bytes say all about their answer. */
const tellingHeaders = ['x-request-id', 'expect', 'upgrade', 'content-length', 'transfer-encoding'];

interface Connection<Known> {
  /** The bytes of its last request that are still to come; NaN where they are not known, from then on. */
  owed: number;
  /** The number of requests that Node read from the bytes at hand, the last one, and what is known of it. */
  requests: number;
  request: IncomingMessage | undefined;
  known: Known | undefined;
  /** Whether Node has read a request: until then, its limit on the time of the first one runs. */
  begun: boolean;
}

type ServerSocket = Socket & { _httpMessage?: object | null };

/** Whether nothing is being answered, nor waits to be sent: what is written now is the next answer that the caller reads. */
function isIdle({ _httpMessage: underWay, writable, writableLength }: ServerSocket): boolean {
  return !underWay && writable && writableLength === 0;
}

/** The length of the only request in the bytes, by its headers; NaN where it cannot be told for sure. */
function lengthOf(bytes: Buffer, { request, requests }: Connection<object>): number {
  if (!request || requests > 1 || request.headers['transfer-encoding'] !== undefined) return NaN;
  const end = bytes.indexOf('\r\n\r\n') + 4;
  if (!strictHead.test(bytes.toString('latin1', 0, end))) return NaN;
  return end + Number(request.headers['content-length'] ?? 0);
}

function isPlain({ method, headers }: IncomingMessage): boolean {
  const { connection = 'keep-alive' } = headers;
  return method === 'GET' && /^keep-alive$/i.test(connection) && tellingHeaders.every((name) => !(name in headers));
}

/**
 * Recognizes requests by their bytes. A caller repeats itself: the same address comes with the same headers, and parsing
 * them once more costs as much as the answer. Bytes that Node parsed as one whole request, and that were answered with
 * something that may be sent again, are remembered; when they come again at the end of the request before, on a connection
 * that waits for nothing, `answer` is asked. Whatever it does not answer, and all else, goes to Node as it came.
 */
export class RepeatedRequests<Known extends object> {
  private readonly known = new LRUCache<string, Known>({
    maxSize: mostBytes,
    sizeCalculation: (_, text) => text.length + entryBytes,
  });
  private readonly connections = new WeakMap<Socket, Connection<Known>>();

  /** `answer` writes the answer at once, or returns false. */
  constructor(private readonly answer: (known: Known, socket: Socket) => boolean) {}

  /** Reads the connections of a server before Node does. */
  standBefore(server: Server): void {
    server.prependListener('request', (request) => this.count(request));
    server.on('connection', (socket: Socket) => {
      const [parse, ...others] = socket.listeners('data') as ((bytes: Buffer) => void)[];
      if (!parse || others.length > 0) return;
      const connection: Connection<Known> = {
        owed: 0,
        requests: 0,
        request: undefined,
        known: undefined,
        begun: false,
      };
      this.connections.set(socket, connection);
      socket.removeListener('data', parse);
      socket.on('data', (bytes: Buffer) => this.read(bytes, socket, connection, parse));
    });
  }

  /** Notes that a request, as long as it is being read, was answered with something that may be sent again. */
  remember(request: IncomingMessage, known: Known): void {
    const connection = this.connections.get(request.socket);
    if (connection && isPlain(request)) connection.known = known;
  }

  private count(request: IncomingMessage): void {
    const connection = this.connections.get(request.socket);
    if (!connection) return;
    connection.requests += 1;
    connection.request = request;
  }

  private read(
    bytes: Buffer,
    socket: ServerSocket,
    connection: Connection<Known>,
    parse: (bytes: Buffer) => void,
  ): void {
    const isNext = connection.owed === 0;
    const text = isNext && bytes.length <= longestRequest ? bytes.toString('latin1') : undefined;
    const known = text !== undefined && connection.begun && isIdle(socket) ? this.known.get(text) : undefined;
    if (known && this.answer(known, socket)) return;
    Object.assign(connection, { requests: 0, request: undefined, known: undefined });
    parse(bytes);
    const length = isNext ? lengthOf(bytes, connection) : connection.owed;
    connection.owed = length >= bytes.length ? length - bytes.length : NaN;
    connection.begun ||= connection.requests > 0;
    if (text !== undefined && connection.owed === 0 && connection.known) this.known.set(text, connection.known);
    connection.request = undefined;
  }
}
