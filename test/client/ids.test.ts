import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runClient } from '../support/client-run.js';
import { eventOf, page, startStubService, type StubAnswer, type StubService } from '../support/stub-service.js';

const id = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4';
const other = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c5';
const createdAt = '2026-01-01T00:00:00.000Z';

let service: StubService;
beforeAll(async () => {
  service = await startStubService();
});
afterAll(() => service.close());

const run = (...args: string[]) => runClient(args, { url: service.url, key: 'key' });
const candidates = (...ids: string[]): StubAnswer => ({
  json: { data: ids.map((one) => ({ id: one, name: `Name\u001b of ${one.at(-1)}`, createdAt })), more: false },
});
const paths = () => service.received.map(({ path }) => path.replace('/api/v1/', ''));

describe('An id', () => {
  it.each([
    [['events', 'get'], 'EVENT', `events/${id}`],
    [['scans', 'get', '-o', 'json'], 'SCAN', `scans/${id}`],
    [['assets', 'get', '-o', 'json'], 'ASSET', `assets/${id}`],
    [['workflows', 'run'], 'WORKFLOW', `workflows/${id}/run`],
    [['deliveries', 'replay'], 'DELIVERY', `deliveries/${id}/replay`],
    [['issues', 'update', '-o', 'json', '--status', 'OPEN'], 'ISSUE', `issues/${id}`],
  ])('may be shortened to its beginning: store %j', async (args, kind, path) => {
    service.sends(candidates(id), { json: eventOf(1, { description: '' }) });
    const { code } = await run(...args, '01981C5E-7a6');
    expect([code, paths()]).toEqual([0, [`ids?kind=${kind}&prefix=01981c5e-7a6`, path]]);
  });

  it('may be shortened in filters, along with whole ones', async () => {
    service.sends(candidates(id), page([]));
    await run('events', 'list', '--scan-id', `01981c5e,${other}`);
    expect(paths()).toEqual(['ids?kind=SCAN&prefix=01981c5e', `events?scanIds=${id}&scanIds=${other}&size=100`]);
  });

  it('that fits several is refused with the candidates', async () => {
    service.sends(candidates(id, other));
    const { code, stdout, stderr } = await run('issues', 'get', '01981c5e');
    expect([code, stdout, paths()]).toEqual([2, '', ['ids?kind=ISSUE&prefix=01981c5e']]);
    expect(stderr).toBe(
      'store: 01981c5e is the beginning of several ids, give more of it:\n' +
        `       ${id}  ${createdAt}  Name\\u001b of 4\n       ${other}  ${createdAt}  Name\\u001b of 5\n`,
    );
  });

  it('that fits none ends with 4', async () => {
    service.sends(candidates());
    const { code, stderr } = await run('keys', 'revoke', '01981c5e');
    expect([code, stderr]).toEqual([4, 'store: No API key has an id that begins with 01981c5e\n']);
  });

  it('is not looked up when whole', async () => {
    service.sends({ json: eventOf(1, { description: '' }) });
    await run('events', 'get', id.toUpperCase());
    expect(paths()).toEqual([`events/${id}`]);
  });

  it('may be latest, which is the newest one', async () => {
    service.sends(page([eventOf(7)]), { json: eventOf(7, { description: '' }) });
    await run('events', 'get', 'latest');
    expect(paths()).toEqual(['events?size=1', 'events/01981c5e-7a60-7c3e-9f0b-000000000007']);
    service.sends(page([]));
    const { code, stderr } = await run('scans', 'get', 'LATEST');
    expect([code, stderr]).toEqual([4, 'store: There is no scan yet, and so no latest one\n']);
  });
});
