import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { entriesOf } from '../support/client-process.js';
import { runClient } from '../support/client-run.js';
import { eventOf, page, startStubService, type StubService } from '../support/stub-service.js';

const id = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4';
const other = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c5';

let service: StubService;

beforeAll(async () => {
  service = await startStubService();
});
afterAll(() => service.close());
beforeEach(() => service.sends(page([])));

const run = (...args: string[]) => runClient(args, { url: service.url, key: 'key' });

/** The query of a command's first request, without the page size. */
/** The query that the service gets, with repeated values joined. */
async function queryOf(...args: string[]): Promise<Record<string, string>> {
  await run('events', 'list', ...args);
  const { searchParams } = new URL(service.received[0]!.path, service.url);
  searchParams.delete('size');
  return Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name).join(',')]));
}

describe('store events list', () => {
  it.each([
    [['--search', 'sql injection'], { search: 'sql injection' }],
    [['-s', '50% & more'], { search: '50% & more' }],
    [['--profile-id', id], { profileIds: id }],
    [['-p', id], { profileIds: id }],
    [['--scan-id', id], { scanIds: id }],
    [['--asset-id', id], { assetIds: id }],
    [['-a', id], { assetIds: id }],
    [['--issue-id', id], { issueIds: id }],
    [['-i', id], { issueIds: id }],
    [['--stage', 'AGENT_REASONING'], { stages: 'AGENT_REASONING' }],
    [['--levels', 'ERROR,WARNING'], { levels: 'ERROR,WARNING' }],
    [['-l', 'error, Debug'], { levels: 'ERROR,DEBUG' }],
    [['--has-attachments'], { hasAttachments: 'true' }],
    [['--attachments', 'SCREENSHOT'], { attachments: 'SCREENSHOT' }],
    [['-t', 'EXCHANGE,SNIPPET'], { attachments: 'EXCHANGE,SNIPPET' }],
    [['-p', id, '-p', other.toUpperCase()], { profileIds: `${id},${other}` }],
    [[], {}],
  ])('sends %j as %j', async (args, query) => {
    expect(await queryOf(...args)).toEqual(query);
  });

  it('sends all filters together', async () => {
    const short = ['-s', 'x', '-p', id, '--scan-id', id, '-a', id, '-i', id, '--stage', 'EXECUTION', '-l', 'INFO'];
    expect(await queryOf(...short, '--has-attachments', '-t', 'SNIPPET')).toEqual({
      search: 'x',
      profileIds: id,
      scanIds: id,
      assetIds: id,
      issueIds: id,
      stages: 'EXECUTION',
      levels: 'INFO',
      hasAttachments: 'true',
      attachments: 'SNIPPET',
    });
  });

  it.each(['events list', 'events ls', 'events event', 'event list', 'event ls'])(
    'is also called %s',
    async (words) => {
      const { code } = await run(...words.split(' '));
      expect([code, new URL(service.received[0]!.path, service.url).pathname]).toEqual([0, '/api/v1/events']);
    },
  );

  it('prints a table of exactly the specified columns', async () => {
    service.sends(page([eventOf(1, { level: 'ERROR', stage: 'AGENT_ACTION', title: 'It broke' })]));
    const { code, stdout, stderr } = await run('events', 'list');
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'CREATED AT', 'LEVEL', 'STAGE', 'TITLE'],
      ['01981c5e-7a60-7c3e-9f0b-000000000001', '2026-01-01T00:00:00.001Z', 'ERROR', 'AGENT_ACTION', 'It broke'],
      [''],
    ]);
    expect([code, stderr]).toEqual([0, '']);
  });

  it('aligns the columns', async () => {
    service.sends(page([eventOf(1), eventOf(2, { level: 'WARNING', stage: 'AGENT_REASONING' })]));
    const [head = '', ...rows] = (await run('events', 'list')).stdout.trimEnd().split('\n');
    const start = head.indexOf('TITLE');
    expect(rows.map((row) => row.slice(start))).toEqual(['Event 1', 'Event 2']);
  });

  it('prints the header alone when nothing matches', async () => {
    expect((await run('events', 'list')).stdout).toMatch(/^ID +CREATED AT +LEVEL +STAGE +TITLE\n$/);
  });

  it('prints an array with -o json, exactly as the service has it', async () => {
    const events = [eventOf(1, { title: 'line\nbreak' }), eventOf(2)];
    service.sends(page(events));
    expect(entriesOf(await run('events', 'list', '-o', 'json'))).toEqual(events);
  });

  it('prints an empty array when nothing matches', async () => {
    expect(entriesOf(await run('events', 'list', '--output', 'json'))).toEqual([]);
  });

  it('asks for 100 events by default', async () => {
    service.sends(page([eventOf(1)], 'more'));
    await run('events', 'list', '--limit', '1');
    service.sends(page([]));
    await run('events', 'list');
    expect(service.received[0]!.path).toContain('size=100');
  });

  it('reads pages of at most 100 up to the limit', async () => {
    const events = Array.from({ length: 250 }, (_, index) => eventOf(index));
    service.sends(page(events.slice(0, 100), 'a'), page(events.slice(100, 200), 'b'), page(events.slice(200), 'c'));
    const printed = entriesOf(await run('events', 'list', '--limit', '230', '-o', 'json', '-l', 'INFO'));
    expect(printed.map((event) => event['id'])).toEqual(events.slice(0, 230).map((event) => event['id']));
    expect(service.received.map(({ path }) => new URL(path, service.url).search)).toEqual([
      '?levels=INFO&size=100',
      '?levels=INFO&size=100&cursor=a',
      '?levels=INFO&size=30&cursor=b',
      '?levels=INFO&size=1&total=true',
    ]);
  });

  it.each([
    [{ json: { data: [], nextCursor: null, totalCount: 3_248 } }, '2 of 3,248 shown: --limit, or --all'],
    [{ json: { data: [], nextCursor: null, totalCount: 10_001 } }, '2 of more than 10,000 shown: --limit, or --all'],
    [page([]), '2 shown, and there are more: --limit, or --all'],
    [{ status: 422, json: { detail: 'x', code: 'x' } }, '2 shown, and there are more: --limit, or --all'],
  ])('says on standard error how much was left out: %#', async (answer, sentence) => {
    service.sends(page([eventOf(1), eventOf(2)], 'more'), answer);
    const { code, stderr } = await run('events', 'list', '--limit', '2');
    expect([code, stderr]).toEqual([0, `store: ${sentence}\n`]);
  });

  it('reads the whole list with --all', async () => {
    const events = Array.from({ length: 250 }, (_, index) => eventOf(index));
    service.sends(page(events.slice(0, 100), 'a'), page(events.slice(100, 200), 'b'), page(events.slice(200)));
    const { stdout, stderr } = await run('events', 'list', '--all', '-o', 'jsonl');
    const printed = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect([printed, stderr]).toEqual([events, '']);
  });

  it('prints CSV that no spreadsheet takes for a formula', async () => {
    service.sends(page([eventOf(1, { title: '=cmd|"/C calc"!A0' }), eventOf(2, { title: 'a, "b"\nc' })]));
    expect((await run('events', 'list', '-o', 'csv')).stdout).toBe(
      'ID,CREATED AT,LEVEL,STAGE,TITLE\r\n' +
        `01981c5e-7a60-7c3e-9f0b-000000000001,2026-01-01T00:00:00.001Z,INFO,EXECUTION,"'=cmd|""/C calc""!A0"\r\n` +
        '01981c5e-7a60-7c3e-9f0b-000000000002,2026-01-01T00:00:00.002Z,INFO,EXECUTION,"a, ""b""\nc"\r\n',
    );
  });

  it('prints CSV without control characters, and to a terminal without what turns the reading direction', async () => {
    const title = '\u001b]0;x\u0007 \u202ey';
    service.sends(page([eventOf(1, { title })]));
    const args = ['events', 'list', '-o', 'csv'];
    const onTerminal = await runClient(args, { url: service.url, columns: 80 });
    expect(onTerminal.stdout.split('\n')[1]).toMatch(/,EXECUTION,"\]0;x \\u202ey"$/);
    expect((await run(...args)).stdout).toContain(',"]0;x \u202ey"\r\n');
  });

  it("sends times in the service's format", async () => {
    const query = await queryOf('--since', '2026-11-20', '--until', '2026-11-20T06:00+02:00');
    expect(query).toEqual({ since: '2026-11-20T00:00:00.000Z', until: '2026-11-20T04:00:00.000Z' });
  });

  it('stops at the last page', async () => {
    service.sends(page([eventOf(1)], 'a'), page([eventOf(2)]));
    expect(entriesOf(await run('events', 'list', '-o', 'json'))).toHaveLength(2);
  });

  it('sends the key as X-API-Key', async () => {
    await run('events', 'list');
    expect(service.received[0]!.headers['x-api-key']).toBe('key');
  });

  it.each(['/', '/api/v1', '/api/v1/'])('accepts STORE_API_URL with %s at its end', async (end) => {
    await runClient(['events', 'list'], { url: service.url + end });
    expect(service.received[0]!.path).toMatch(/^\/api\/v1\/events\?/);
  });
});
