import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClientScene, type Printed, startClientScene } from '../support/client-scene.js';

let scene: ClientScene;
beforeAll(async () => {
  scene = await startClientScene();
});
afterAll(() => scene.close());

const unknown = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4';

async function idsOf(...names: string[]): Promise<string[]> {
  const issues = await scene.print<(Printed & { name: string })[]>('issues', 'list', '--all');
  return names.map((name) => issues.find((one) => one.name === name)?.id ?? '');
}

describe('store issues', () => {
  it('changes several at once, and reports the outcome of each', async () => {
    await scene.importIssues('first', 'second');
    const [first = '', second = ''] = await idsOf('first', 'second');
    const change = ['--status', 'IGNORED', '--comment', 'A honeypot'];
    expect(await scene.print('issues', 'update', first, second.slice(0, 23), ...change)).toEqual([
      { id: first, status: 'updated' },
      { id: second, status: 'updated' },
    ]);
    const { code, stdout, stderr } = await scene.run(['issues', 'update', first, unknown, '--status', 'IGNORED']);
    expect(stdout).toMatch(new RegExp(`^ID +OUTCOME\n${first} +unchanged\n${unknown} +not found\n$`));
    expect([code, stderr]).toEqual([4, 'store: 1 of 2 issues are not there\n']);
    const commented = 'SELECT comment FROM issue_activities WHERE comment = $1';
    const said = await scene.app.database.rows(commented, ['A honeypot']);
    expect(said).toHaveLength(2);
  });

  it('changes more than fit in a request', async () => {
    const rules = Array.from({ length: 501 }, (_, at) => `many-${at}`);
    await scene.importIssues(...rules);
    const ids = await idsOf(...rules);
    const results = await scene.print<{ status: string }[]>('issues', 'update', ...ids, '--status', 'RESOLVED');
    expect(results.map(({ status }) => status)).toEqual(rules.map(() => 'updated'));
  });

  it('lists where one was found, and the total', async () => {
    await scene.importIssues('counted');
    const [id = ''] = await idsOf('counted');
    const targets = await scene.run(['issues', 'targets', id]);
    expect(targets.stdout).toMatch(/^ID +SCAN ID +PLACE\n\S{36} +\S{36} +src\/a\.ts:3\n$/);
    const { total } = await scene.print<{ total: number }>('issues', 'summary');
    const counts = await scene.run(['issues', 'summary']);
    expect(counts.stdout).toContain(`ISSUES  ${total}\n`);
    expect(counts.stdout).toMatch(/\nOPEN, BY SEVERITY\n {2}CRITICAL +0\n {2}HIGH +\d+\n/);
  });
});

describe('store scans', () => {
  it('shows which issues a scan found newly, and which are gone', async () => {
    await scene.importIssues('stays', 'goes');
    await scene.importIssues('stays', 'comes');
    const found = await scene.run(['scans', 'found', 'latest']);
    expect(found.stdout).toMatch(/^COMPARED WITH +\S{36} of \S+\nNEW +1\nSEEN AGAIN +1\nGONE +\d+\n/);
    expect(found.stdout).toMatch(/\nNEW\nID +SEVERITY.*\n\S{36} .* comes\n/);
    expect(found.stdout).toMatch(/\nGONE.*\n.*\n(.*\n)*\S{36} .* goes\n/);
  });

  it('cancels a running scan, and not an ended one', async () => {
    const headers = { 'x-api-key': await scene.organization.key('member') };
    const post = async (path: string, json: object) =>
      (await scene.app.api.post<{ id: string }>(`/api/v1/${path}`, { headers, json })).body.id;
    const applicationId = await post('profiles', { name: 'Front', scannerKind: 'FRONTEND_DAST', type: 'REST' });
    const id = await post('scans', { applicationId, kind: 'FRONTEND_DAST', status: 'RUNNING' });
    expect(await scene.print('scans', 'cancel', id)).toMatchObject({ id, status: 'CANCELED' });
    expect(await scene.run(['scans', 'cancel', id])).toMatchObject({ code: 1, stdout: '' });
  });
});
