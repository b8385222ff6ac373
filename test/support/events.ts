import { uuidV7At } from '../../src/platform/crypto/uuid-v7.js';
import type { EventAppendResult } from '../../src/scanning/scan-events/scan-event-append.dto.js';
import type { EventArrivals, ScanEvent, ScanEventPage } from '../../src/scanning/scan-events/scan-events.dto.js';
import type { ApiAnswer } from './api-client.js';
import type { TestApp } from './test-app.js';

const path = '/api/v1/events';

/** An event as a scanner reports it. */
export function newEvent(fields: object = {}): object {
  return { title: 'Login form found', description: 'At /login', level: 'INFO', stage: 'EXECUTION', ...fields };
}

/** Attachments with every field. */
export const attachments = {
  EXCHANGE: {
    type: 'EXCHANGE',
    exchange: {
      request: {
        method: 'POST',
        url: 'https://shop.example.com/login',
        headers: { Accept: '*/*' },
        body: 'user=admin',
      },
      response: { status: 500, headers: { 'Set-Cookie': ['a=1', 'b=2'] }, body: 'Whoops: Traceback' },
      durationMs: 12.5,
    },
  },
  SNIPPET: { type: 'SNIPPET', snippet: { name: 'query.sql', language: 'sql', content: 'SELECT "a\\b" FROM t\n' } },
  SCREENSHOT: { type: 'SCREENSHOT', screenshot: { url: 'https://shop.example.com/shot.png', alt: 'The login page' } },
} as const;

/** An id that carries a time. */
export function idAt(time: Date, count = 0): string {
  return uuidV7At(time, count);
}

/** Calls the routes of events with one token. */
export class EventCalls {
  constructor(
    private readonly app: Pick<TestApp, 'api'>,
    private readonly token: string,
  ) {}

  append<T = EventAppendResult>(scanId: string, events: unknown): Promise<ApiAnswer<T>> {
    return this.app.api.post(`/api/v1/scans/${scanId}/events`, { token: this.token, json: events });
  }

  /** Appends bytes as they are. */
  raw<T = EventAppendResult>(
    scanId: string,
    raw: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = { 'content-type': 'application/x-ndjson' },
  ): Promise<ApiAnswer<T>> {
    return this.app.api.post(`/api/v1/scans/${scanId}/events`, { token: this.token, raw, headers });
  }

  /** Appends events that must be accepted. */
  async appended(scanId: string, ...events: object[]): Promise<EventAppendResult> {
    const { status, body } = await this.append(scanId, events);
    if (status !== 201) throw new Error(`Appending answered ${status} ${JSON.stringify(body)}`);
    return body;
  }

  async list(query: string): Promise<ScanEventPage> {
    const { status, body } = await this.app.api.get<ScanEventPage>(`${path}?${query}`, { token: this.token });
    if (status !== 200) throw new Error(`Listing ${query} answered ${status} ${JSON.stringify(body)}`);
    return body;
  }

  async titles(query: string): Promise<string[]> {
    return (await this.list(query)).data.map(({ title }) => title);
  }

  /** The events of all pages; `between` runs between each two pages. */
  async all(query: string, between: () => Promise<unknown> = async () => undefined): Promise<ScanEventPage['data']> {
    const data: ScanEventPage['data'] = [];
    for (let cursor = ''; ;) {
      const page = await this.list(`${query}${cursor}`);
      data.push(...page.data);
      if (page.nextCursor === null) return data;
      cursor = `&cursor=${page.nextCursor}`;
      await between();
    }
  }

  get(id: string): Promise<ApiAnswer<ScanEvent>> {
    return this.app.api.get<ScanEvent>(`${path}/${id}`, { token: this.token });
  }

  async arrivals(query: string): Promise<EventArrivals> {
    const { status, body } = await this.app.api.get<EventArrivals>(`${path}/arrivals?${query}`, { token: this.token });
    if (status !== 200) throw new Error(`Following ${query} answered ${status} ${JSON.stringify(body)}`);
    return body;
  }
}
