import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { startClient } from '../support/client-process.js';
import { runClient } from '../support/client-run.js';
import { eventOf, page, startStubService, type StubService } from '../support/stub-service.js';

const id = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4';

let service: StubService;

beforeAll(async () => {
  service = await startStubService();
});
afterAll(() => service.close());

const longTitle = 'x'.repeat(500);

/** An endless list. */
function sendsEndlessly(): void {
  service.answers((response, { path }) => {
    const from = Number(new URL(path, service.url).searchParams.get('cursor') ?? 0);
    const data = Array.from({ length: 100 }, (_, index) => eventOf(from + index, { title: longTitle }));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data, nextCursor: String(from + 100) }));
  });
}

describe('The output of store', () => {
  it.each(['table', 'json'])('ends quietly with 0 when its reader closes a %s early', async (format) => {
    sendsEndlessly();
    const client = startClient(['events', 'list', '--limit', '10000', '-o', format], { url: service.url });
    await once(client.child.stdout, 'data');
    client.child.stdout.destroy();
    const { code, stderr } = await client.done;
    expect([code, stderr]).toEqual([0, '']);
    expect(service.received.length).toBeLessThan(100);
  });

  it('prints the first page before the last one arrives', async () => {
    service.answers((response, { path }) => {
      if (path.includes('cursor')) return; // the second page never comes
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [eventOf(1)], nextCursor: 'b' }));
    });
    const client = startClient(['events', 'list'], { url: service.url });
    await once(client.child.stdout, 'data');
    expect(client.stdout()).toContain('Event 1');
    client.child.kill();
    await client.done;
  });

  it('is neither colored nor shortened in a pipe', async () => {
    service.sends(page([eventOf(1, { level: 'ERROR', title: longTitle })]));
    const { stdout } = await runClient(['events', 'list'], { url: service.url, env: { COLUMNS: '40' } });
    expect(stdout).toContain(longTitle);
    expect(stdout).not.toContain('\u001b');
  });

  it('makes escape sequences and line breaks in titles harmless', async () => {
    service.sends(page([eventOf(1, { title: 'a\u001b[2Jb\r\nc\u0007\u009b5m\u202ed\te' })]));
    const { stdout } = await runClient(['events', 'list'], { url: service.url });
    expect(stdout.trimEnd().split('\n')[1]).toMatch(/ {2}a\\u001b\[2Jb c\\u0007\\u009b5m\\u202ed e$/);
  });

  it('makes them harmless in JSON, and keeps their value', async () => {
    const title = 'a\u001b[2Jb\r\nc\u0007\u009b5m\u202ed\te\u007f';
    service.sends(page([eventOf(1, { title })]));
    const { stdout } = await runClient(['events', 'list', '-o', 'json'], { url: service.url });
    expect(stdout).toMatch(/^[\n\u0020-\u007e]*$/);
    expect(JSON.parse(stdout)).toMatchObject([{ title }]);
  });

  it('keeps the line breaks of a description, and nothing else that moves the cursor', async () => {
    service.sends({ json: eventOf(1, { description: 'one\n\u001b[1Atwo\n\n  three' }) });
    const { stdout } = await runClient(['events', 'get', id], { url: service.url });
    expect(stdout).toContain('DESCRIPTION\n  one\n  \\u001b[1Atwo\n\n    three\n');
  });
});
