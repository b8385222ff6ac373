import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runClient } from '../support/client-run.js';
import { startStubService, type StubService } from '../support/stub-service.js';

const id = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4';

let service: StubService;
beforeAll(async () => {
  service = await startStubService();
  service.sends({ json: { id: 'acme' } });
});
afterAll(() => service.close());

describe('--web', () => {
  it.each([
    [['issues', 'get', id], `scanning/issues?organization=acme&issue=${id}`],
    [['scans', 'get', id], `scanning/scans/${id}?organization=acme`],
    [['events', 'get', id], `scanning/events?organization=acme&event=${id}`],
    [['assets', 'get', id], `scanning/assets/${id}?organization=acme`],
    [['workflows', 'get', id], `scanning/workflows/${id}?organization=acme`],
    [
      ['issues', 'list', '--severities', 'HIGH,LOW', '-s', 'a b'],
      'scanning/issues?organization=acme&severities=HIGH%2CLOW&search=a+b',
    ],
    [
      [
        'issues',
        'list',
        '--asset-id',
        id,
        '--tag-id',
        id,
        '--asset',
        'shop',
        '--overdue',
        '--kev',
        '--min-epss',
        '0.5',
      ],
      `scanning/issues?organization=acme&assetIds=${id}&tagIds=${id}&assetName=shop&overdue=true&kev=true&minEpss=0.5`,
    ],
    [
      ['issues', 'list', '--short', '--limit', '5', '--profile-id', `${id},${id}`],
      `scanning/issues?organization=acme&profileIds=${id}%2C${id}`,
    ],
    [['scans', 'list', '--profile-id', id], `scanning/scans?organization=acme&profileIds=${id}`],
  ])('of %j prints the address where no browser can be opened', async (args, path) => {
    const { code, stdout } = await runClient([...args, '--web'], { url: service.url, key: 'ssk_x' });
    expect([code, stdout]).toEqual([0, `${service.url}/console/${path}\n`]);
  });

  it('carries the filter and the order of a saved view, and what is given beside it', async () => {
    const view = { id, name: 'Mine', filter: { severities: ['LOW'], assignee: 'me' }, sort: 'due' };
    service.sends({ json: { data: [view], nextCursor: null } }, { json: { id: 'acme' } });
    const args = ['issues', 'list', '--view', 'Mine', '--severities', 'HIGH', '--web'];
    const { stdout } = await runClient(args, { url: service.url, key: 'ssk_x' });
    const query = 'organization=acme&severities=HIGH&assignee=me&sort=due';
    expect(stdout).toBe(`${service.url}/console/scanning/issues?${query}\n`);
    service.sends({ json: { id: 'acme' } });
  });

  it('opens a browser on a terminal, or prints the address where that fails', async () => {
    const run = (command: string) =>
      runClient(['scans', 'list', '--web'], { url: service.url, key: 'k', columns: 80, env: { BROWSER: command } });
    const address = `${service.url}/console/scanning/scans?organization=acme`;
    expect(await run('true')).toEqual({ code: 0, stdout: '', stderr: `store: Opening ${address}\n` });
    expect(await run('/nowhere/browser')).toEqual({ code: 0, stdout: `${address}\n`, stderr: '' });
  });
});
