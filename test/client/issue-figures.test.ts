import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClientScene, startClientScene } from '../support/client-scene.js';
import { runClient } from '../support/client-run.js';
import { startStubService } from '../support/stub-service.js';

let scene: ClientScene;
beforeAll(async () => {
  scene = await startClientScene();
  await scene.importIssues('first', 'second');
});
afterAll(() => scene.close());

describe('store issues groups', () => {
  it('counts by rule, with the filters of the list, and says if there are more', async () => {
    const { stdout } = await scene.run(['issues', 'groups', '--by', 'rule', '--statuses', 'OPEN']);
    expect(stdout).toMatch(/^ISSUES +OPEN +CRITICAL +HIGH +KEY +NAME\n1 +1 +0 +[01] +first +first\n/);
    expect(await scene.print<unknown[]>('issues', 'groups', '--rule', 'second')).toMatchObject([{ key: 'second' }]);
    const cut = await scene.run(['issues', 'groups', '--limit', '1']);
    expect(cut.stderr).toBe('store: 1 of 2 groups shown: --limit\n');
  });

  it('refuses what is no grouping and no number', async () => {
    for (const args of [
      ['--by', 'color'],
      ['--limit', '101'],
      ['--limit', '0'],
    ]) {
      expect((await scene.run(['issues', 'groups', ...args])).code).toBe(2);
    }
  });
});

describe('store issues metrics', () => {
  it('shows what is open by age, the time to fix, and the weeks', async () => {
    await scene.run(['issues', 'bulk', '--rule', 'second', '--set-status', 'RESOLVED', '--yes']);
    const { stdout } = await scene.run(['issues', 'metrics', '--weeks', '2']);
    expect(stdout).toMatch(/^OPEN, BY AGE\nSEVERITY +OPEN +OVERDUE +TO 7 DAYS/);
    expect(stdout).toMatch(/\nTIME TO FIX\nSEVERITY +FIXED +MEDIAN DAYS +NINE OF TEN\n/);
    expect(stdout).toMatch(/\nBY WEEK\nWEEK OF +OPENED +CLOSED\n\S{10} +\d+ +\d+\n\S{10} +2 +1\n$/);
    expect(await scene.print('issues', 'metrics', '--rule', 'first')).toMatchObject({ weeks: expect.any(Array) });
  });
});

describe('store issues policy', () => {
  it('shows the policy, and changes what is named alone', async () => {
    const tag = await scene.print('tags', 'create', '-f', await scene.file({ name: 'production' }));
    const [member] = await scene.print<{ userId: string; username: string }[]>('members', 'list');
    const { userId = '', username = '' } = member ?? {};
    await scene.print('issues', 'policy', '--days', 'critical=7,HIGH=30', '--assignee', `production=${username}`);
    const { stdout } = await scene.run(['issues', 'policy', '--days', 'HIGH=none', '--reason-required', 'on']);
    expect(stdout).toMatch(/DAYS FOR CRITICAL +7\nDAYS FOR HIGH +no due date\n/);
    expect(stdout).toMatch(new RegExp(`REASON REQUIRED +on\n\nASSIGNED, BY TAG\n {2}production: ${username}\n$`));
    const gone = await scene.print('issues', 'policy', '--assignee', `${tag.id}=none`);
    expect(gone).toMatchObject({ assignees: [], reasonRequired: true, daysToFix: { CRITICAL: 7, HIGH: null } });
    await scene.print('issues', 'policy', '--assignee', `${tag.id}=${userId}`);
    expect(await scene.print('issues', 'policy')).toMatchObject({ assignees: [{ tagId: tag.id, userId }] });
  });

  it('keeps what somebody else changes at the same time', async () => {
    const service = await startStubService();
    const policy = (critical: number) => ({ daysToFix: { CRITICAL: critical }, assignees: [], reasonRequired: false });
    const version = (critical: number) => ({ json: policy(critical), headers: { etag: `"${critical}"` } });
    const changed = { status: 412, json: { detail: 'It has changed', code: 'precondition_failed' } };
    service.sends(version(7), changed, version(9), { json: {} });
    await runClient(['issues', 'policy', '--days', 'HIGH=30'], { url: service.url, key: 'ssk_key' });
    const sent = service.received.filter(({ method }) => method === 'PUT');
    expect(sent.map(({ headers }) => headers['if-match'])).toEqual(['"7"', '"9"']);
    expect(JSON.parse(String(sent[1]?.bytes))).toEqual({ ...policy(9), daysToFix: { CRITICAL: 9, HIGH: 30 } });
    await service.close();
  });

  it('names what is wrong', async () => {
    const refused = (...args: string[]) => scene.run(['issues', 'policy', ...args]);
    expect((await refused('--days', 'SOON=1')).stderr).toContain('"SOON" is no severity');
    expect((await refused('--days', 'HIGH=9999')).stderr).toContain('Give whole days up to 3650');
    expect((await refused('--days', 'HIGH')).stderr).toContain('Give NAME=VALUE');
    expect((await refused('--assignee', 'absent=ada')).stderr).toContain('There is no tag "absent"');
    const key = await scene.organization.key('member');
    const { code } = await runClient(['issues', 'policy', '--reason-required', 'off'], { url: scene.app.baseUrl, key });
    expect(code).not.toBe(0);
  });
});
