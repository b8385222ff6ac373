import type { ResourceScan } from '../../src/scanning/scans/scans.dto.js';
import { until } from './receiver.js';

export interface StreamMessage {
  event: string;
  id: string;
  data: { id: string; title: string; reason?: string };
}

export interface StreamChoices {
  token?: string;
  headers?: Record<string, string>;
  query?: string;
  lastId?: string | undefined;
}

/** Reads a stream of events as the standard says (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class EventStream {
  readonly messages: StreamMessage[] = [];
  /** The id to reconnect with. */
  lastId = '';
  retryMs = 0;
  hasEnded = false;
  private readonly ending = new AbortController();
  private lines: Record<string, string> = {};
  private rest = '';

  private constructor(
    readonly status: number,
    readonly headers: Headers,
    /** The response, if it is a refusal. */
    readonly refusal: { code?: string; detail?: { loc: unknown[] }[] },
  ) {}

  static async open(baseUrl: string, { token, headers = {}, query = '', lastId }: StreamChoices): Promise<EventStream> {
    const ending = new AbortController();
    const response = await fetch(`${baseUrl}/api/v1/events/stream?${query}`, {
      signal: ending.signal,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
        ...headers,
      },
    });
    const isRefused = response.status !== 200;
    const stream = new EventStream(
      response.status,
      response.headers,
      isRefused ? ((await response.json()) as EventStream['refusal']) : {},
    );
    stream.ending.signal.addEventListener('abort', () => ending.abort());
    if (isRefused) stream.hasEnded = true;
    else void stream.read(response);
    return stream;
  }

  /** The titles of the events so far. */
  get titles(): string[] {
    return this.messages.filter(({ event }) => event === 'message').map(({ data }) => data.title);
  }

  /** The changes of scans so far. */
  get scans(): ResourceScan[] {
    return this.messages.filter(({ event }) => event === 'scan').map(({ data }) => data as unknown as ResourceScan);
  }

  /** The reason that the service gave when it closed the stream. */
  get reason(): string | undefined {
    return this.messages.find(({ event }) => event === 'end')?.data.reason;
  }

  /** Waits until the stream follows: whatever arrives from now on is received. */
  async live(): Promise<this> {
    await until(() => this.lastId !== '' || this.hasEnded, 'the first id of a stream');
    return this;
  }

  async has(count: number): Promise<string[]> {
    await until(() => this.titles.length >= count, `${count} events; there are ${this.titles.length}`);
    return this.titles;
  }

  async end(): Promise<string | undefined> {
    await until(() => this.hasEnded, 'the end of a stream');
    return this.reason;
  }

  close(): void {
    this.ending.abort();
  }

  private async read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) this.push(decoder.decode(chunk as Uint8Array, { stream: true }));
    } catch {
      // Cut off, by either side.
    }
    this.hasEnded = true;
  }

  private push(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.readLine(line);
  }

  private readLine(line: string): void {
    const [, field, value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    if (field !== undefined) this.lines[field] = value;
    if (line !== '') return;
    const { id, event = 'message', data, retry } = this.lines;
    this.lines = {};
    if (retry !== undefined) this.retryMs = Number(retry);
    if (id !== undefined) this.lastId = id;
    if (data !== undefined) {
      this.messages.push({ event, id: this.lastId, data: JSON.parse(data) as StreamMessage['data'] });
    }
  }
}
