import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { until } from '../support/receiver.js';
import { type ClientProcess, startClient, startPiped } from '../support/client-process.js';
import { eventOf, startStubService, type StubService } from '../support/stub-service.js';

type Event = Record<string, unknown>;

let service: StubService;
let listed: Event[];
let arrived: Event[];
let isAway: boolean;
/** Events that arrive right after the first cursor is issued. */
let arriveAtOnce: Event[];

/** Sends a stream that begins after a cursor. */
let stream: (response: ServerResponse, after: string) => void;

beforeAll(async () => {
  service = await startStubService();
});
afterAll(() => service.close());
beforeEach(() => {
  service.received.length = 0;
  [listed, arrived, arriveAtOnce, isAway] = [[], [], [], false];
  // Responds like a service without streams, which takes `stream` for an unknown id.
  stream = (response) => {
    response.writeHead(422, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ detail: [] }));
  };
  // Like the service: the cursor counts arrived events, and a response holds two.
  service.answers((response, { path }) => {
    const url = new URL(path, service.url);
    const after = url.searchParams.get('after');
    const start = after === null ? arrived.length : Number(after);
    const data = after === null ? [] : arrived.slice(start, start + 2);
    const place = start + data.length;
    const arrivals = { data, nextCursor: String(place), more: place < arrived.length };
    if (url.pathname.endsWith('/stream')) return stream(response, after ?? '');
    const body = url.pathname.endsWith('/arrivals') ? arrivals : { data: listed, nextCursor: null };
    if (after === null && url.pathname.endsWith('/arrivals')) arrived.push(...arriveAtOnce);
    response.writeHead(isAway ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isAway ? { detail: 'Away', code: 'unavailable' } : body));
  });
});

const printed = (client: ClientProcess) =>
  client
    .stdout()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as Event)['title']);

async function follow(...args: string[]): Promise<ClientProcess> {
  const client = startClient(['events', 'list', '--follow', '-o', 'json', ...args], { url: service.url });
  await until(() => service.received.some(({ path }) => path.includes('after=')));
  return client;
}

async function end(client: ClientProcess): Promise<[code: number | null, stderr: string]> {
  client.child.kill('SIGINT');
  const { code, stderr } = await client.done;
  return [code, stderr];
}

describe('store events list --follow', () => {
  it('prints the newest last, then new events, one object a line', async () => {
    listed = [eventOf(3), eventOf(2), eventOf(1)];
    const client = await follow();
    arrived = [eventOf(4), eventOf(5), eventOf(6), eventOf(0, { title: 'dated back' })];
    await until(() => client.stdout().includes('dated back'));
    const before = ['Event 1', 'Event 2', 'Event 3'];
    expect(printed(client)).toEqual([...before, 'Event 4', 'Event 5', 'Event 6', 'dated back']);
    expect(await end(client)).toEqual([130, '']);
  });

  it('asks for the cursor before the list', async () => {
    await end(await follow());
    expect(service.received.slice(0, 2).map(({ path }) => new URL(path, service.url).pathname)).toEqual([
      '/api/v1/events/arrivals',
      '/api/v1/events',
    ]);
  });

  it('prints an event that is both listed and new once', async () => {
    listed = [eventOf(1)];
    arriveAtOnce = [eventOf(1), eventOf(2), eventOf(3)];
    const client = await follow();
    await until(() => client.stdout().includes('Event 3'));
    expect(printed(client)).toEqual(['Event 1', 'Event 2', 'Event 3']);
    await end(client);
  });

  it('sends the filters with both', async () => {
    await end(await follow('-l', 'ERROR', '--limit', '5'));
    const queries = service.received.map(({ path }) => Object.fromEntries(new URL(path, service.url).searchParams));
    expect(queries.slice(0, 3)).toEqual([
      { levels: 'ERROR', size: '100' },
      { levels: 'ERROR', size: '5' },
      { levels: 'ERROR', size: '100', after: '0' },
    ]);
  });

  it('prints rows of a table under one header', async () => {
    listed = [eventOf(1)];
    const client = await follow('-o', 'table');
    arrived = [eventOf(2)];
    await until(() => client.stdout().includes('Event 2'));
    expect(client.stdout().match(/CREATED AT/g)).toHaveLength(1);
    await end(client);
  });

  it('continues after a short outage of the service', async () => {
    const client = await follow();
    arrived = [eventOf(1)];
    await until(() => client.stdout().includes('Event 1'));
    isAway = true;
    await until(() => client.stderr().includes('Away'));
    arrived.push(eventOf(2));
    isAway = false;
    await until(() => client.stdout().includes('Event 2'));
    expect(printed(client)).toEqual(['Event 1', 'Event 2']);
    expect((await end(client))[0]).toBe(130);
  });

  it('ends with its reader, before another event comes, with GNU tail', async () => {
    listed = [eventOf(1)];
    const client = startPiped(['events', 'list', '--follow'], 'head -1', { url: service.url });
    await until(() => client.stdout().includes('TITLE'));
    const isGnu = spawnSync('tail', ['--version'], { encoding: 'utf8' }).stdout?.includes('GNU');
    if (!isGnu) arrived = Array.from({ length: 10 }, (_, index) => eventOf(index));
    const { code, stderr } = await client.done;
    expect([code, stderr]).toEqual([0, '']);
  });

  it('ends quietly when its reader closes the pipe', async () => {
    const client = await follow();
    client.child.stdout.destroy();
    arrived = Array.from({ length: 10 }, (_, index) => eventOf(index));
    const { code, stderr } = await client.done;
    expect([code, stderr]).toEqual([0, '']);
  });

  const asked = (path: string) => service.received.filter((one) => one.path.includes(path)).map((one) => one.path);
  const begin = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(': open\nretry: 2000\n\n');
  };
  const message = (id: string, event: Event) => `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`;

  it('prints what a stream brings, and resumes after its last id when it breaks off', async () => {
    const streams: ServerResponse[] = [];
    stream = (response) => {
      begin(response);
      streams.push(response);
      if (streams.length === 1) response.write(`${message('0', eventOf(1))}id: 0\n\n`);
    };
    const client = await follow('-l', 'ERROR');
    await until(() => client.stdout().includes('Event 1'));
    arrived = [eventOf(2)];
    streams[0]?.destroy();
    await until(() => streams.length === 2, 'the next stream');
    streams[1]?.write(message('1', eventOf(3)));
    await until(() => client.stdout().includes('Event 3'));
    expect(printed(client)).toEqual(['Event 1', 'Event 2', 'Event 3']);
    expect(asked('/stream').map((path) => new URL(path, service.url).search)).toEqual([
      '?levels=ERROR&after=0',
      '?levels=ERROR&after=1',
    ]);
    expect(await end(client)).toEqual([130, '']);
  });

  it('ends with the reason when its access has ended', async () => {
    stream = (response) => {
      begin(response);
      service.sends({ status: 401, json: { detail: 'The API key is unknown', code: 'invalid_api_key' } });
      response.end('event: end\ndata: {"reason":"access_ended"}\n\n');
    };
    const client = await follow();
    const { code, stderr } = await client.done;
    expect([code, stderr]).toEqual([3, expect.stringContaining('API key')]);
  });

  it.each<[string, typeof stream]>([
    [
      'the stream',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
        response.flushHeaders();
      },
    ],
    ['its headers', () => undefined],
  ])('polls when something on the way holds back %s', async (_, held) => {
    stream = held;
    const client = await follow();
    arrived = [eventOf(1)];
    await until(() => client.stdout().includes('Event 1'));
    arrived.push(eventOf(2));
    await until(() => client.stdout().includes('Event 2'));
    expect(printed(client)).toEqual(['Event 1', 'Event 2']);
    expect(asked('/stream')).toHaveLength(1);
    await end(client);
  });
});
