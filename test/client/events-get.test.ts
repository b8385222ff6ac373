import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runClient } from '../support/client-run.js';
import { eventOf, startStubService, type StubService } from '../support/stub-service.js';

const id = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4';
const event = eventOf(1, {
  title: 'Injection found',
  description: 'The parameter q\nis not bound.',
  issuesCount: 2,
  attachments: [
    {
      id: 'a1',
      type: 'EXCHANGE',
      createdAt: '2026-01-01T00:00:00.000Z',
      exchange: {
        request: { method: 'POST', url: 'https://shop.example.com/q', headers: { Accept: '*/*' }, body: 'q=1' },
        response: { status: 500, headers: { Server: 'x' }, body: 'Oops' },
        durationMs: 12,
      },
    },
    { id: 'a2', type: 'SNIPPET', createdAt: null, snippet: { name: 'q.ts', language: 'ts', content: 'one\ntwo' } },
    {
      id: 'a3',
      type: 'SCREENSHOT',
      createdAt: null,
      screenshot: { url: 'https://shots.example.com/1.png', alt: null },
    },
    { id: 'a4', type: 'EXCHANGE', createdAt: null, exchange: { request: { method: 'GET', url: '/' }, response: null } },
  ],
});

let service: StubService;

beforeAll(async () => {
  service = await startStubService();
  service.sends({ json: event });
});
afterAll(() => service.close());

describe('store events get', () => {
  it.each(['get', 'g'])('asks for the event by %s', async (word) => {
    service.sends({ json: event });
    await runClient(['events', word, id.toUpperCase()], { url: service.url });
    expect(service.received.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET /api/v1/events/${id}`]);
  });

  it('shows the description and every attachment', async () => {
    const { code, stdout } = await runClient(['events', 'get', id], { url: service.url });
    expect(code).toBe(0);
    expect(stdout).toBe(`ID           01981c5e-7a60-7c3e-9f0b-000000000001
CREATED AT   2026-01-01T00:00:00.001Z
LEVEL        INFO
STAGE        EXECUTION
TITLE        Injection found
SCAN ID      01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4
ISSUES       2
ATTACHMENTS  4

DESCRIPTION
  The parameter q
  is not bound.

EXCHANGE a1
  POST https://shop.example.com/q
  Accept: */*

  q=1

  Answer 500 (12 ms)
  Server: x

  Oops

SNIPPET a2
  q.ts (ts)

  one
  two

SCREENSHOT a3
  https://shots.example.com/1.png

EXCHANGE a4
  GET /

  No answer
`);
  });

  it('prints the event as it is with -o json', async () => {
    const { stdout } = await runClient(['events', 'get', id, '-o', 'json'], { url: service.url });
    expect(JSON.parse(stdout)).toEqual(event);
  });
});
