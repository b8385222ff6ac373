import { beforeEach, describe, expect, it } from '@jest/globals';
import type { WorkflowPreview } from '../../../src/scanning/webhook-export/preview.dto.js';
import { until } from '../../support/receiver.js';
import { workflowScene } from '../../support/workflow-scene.js';

const scene = workflowScene({ env: { PUBLIC_URL: 'https://scans.example.com' }, jobs: true });

type Notify = { integrationKind: string; parameters?: Record<string, unknown>; [field: string]: unknown };
const notify = ({ parameters = {}, ...action }: Notify) => ({ type: 'NOTIFY', parameters, ...action });

async function shown(actions: Notify[], draft: object = {}, token = scene.organization.member.token) {
  const json = { name: 'To the team', trigger: { type: 'NEW_ISSUE' }, actions: actions.map(notify), ...draft };
  const { status, body } = await scene.service.api.post<WorkflowPreview>('/api/v1/workflows/preview', { token, json });
  expect(status).toBe(200);
  return body.notifications;
}

async function textOf(action: Notify, draft: object = {}): Promise<string> {
  const [first] = await shown([action], draft);
  return first?.messages.join('\n---\n') ?? '';
}

describe('The preview of a notification', () => {
  beforeEach(async () => {
    const asset = await scene.things.asset({ name: 'web shop' });
    const worst = await scene.things.issue(asset, { name: 'Remote <b> [code] *run* & a|b', severity: 'CRITICAL' });
    await scene.things.target(worst, { codeFile: { path: 'src/run_it.ts', line: 7 } });
    for (let number = 0; number < 3; number++) await scene.things.issue(asset, { name: `Leak ${number}` });
  });

  it.each(['SLACK', 'TEAMS', 'DISCORD', 'EMAIL'])('is the text that its readers on %s see', async (integrationKind) => {
    const text = await textOf({ integrationKind });
    const name = integrationKind === 'SLACK' ? 'Remote <b> [code] *run* & a¦b' : 'Remote <b> [code] *run* & a|b';
    expect(text).toContain('4 new issues: 1 critical, 3 high');
    expect(text).toContain(name);
    expect(text).toContain('src/run_it.ts:7');
    expect(text).toContain('To the team');
    expect(text).not.toMatch(/\\|:red_circle:|\*\*|&lt;/);
    if (integrationKind !== 'EMAIL') expect(text).not.toContain('https://');
  });

  it('of a body of one’s own is that body, in which secrets are masked', async () => {
    const template = { title: '{{ title }}', routing_key: 'R0ut1ngK3yOfTheTeam', count: '{{ total }}' };
    const text = await textOf({ integrationKind: 'TEMPLATE', parameters: { template } });
    expect(JSON.parse(text)).toMatchObject({ title: '4 new issues: 1 critical, 3 high', count: 4 });
    expect(text).not.toContain('R0ut1ng');
  });

  it('has the first messages of those about one issue each, and their number', async () => {
    const parameters = { perIssue: true, template: { summary: '{{ issue.severity }}: {{ issue.name }}' } };
    const [notice] = await shown([{ integrationKind: 'TEMPLATE', parameters }]);
    expect(notice?.count).toBe(4);
    expect(notice?.messages).toHaveLength(3);
    expect(notice?.messages[0]).toContain('CRITICAL: Remote');
  });

  it('is of the enabled actions alone, beside the exports', async () => {
    const kinds = (await shown([{ integrationKind: 'SLACK' }, { integrationKind: 'TEAMS', enabled: false }])).map(
      ({ integrationKind }) => integrationKind,
    );
    expect(kinds).toEqual(['SLACK']);
    expect(await shown([], {})).toEqual([]);
  });

  it('of scans that failed is about these alone', async () => {
    const profile = await scene.things.profile({ name: 'Nightly' });
    await scene.things.scan(profile, { status: 'FINISHED' });
    await scene.things.scan(profile, { status: 'FAILED', failure_reason: 'Out of memory' });
    const text = await textOf({ integrationKind: 'SLACK' }, { trigger: { type: 'SCAN_FAILED' } });
    expect(text).toContain('1 scan failed');
    expect(text).toContain('Nightly – Out of memory');
  });

  it('of a saved workflow is what a run by hand sends then', async () => {
    const parameters = { url: scene.receiver.url, template: { text: '{{ worst }}', of: '{{ workflow }}' } };
    const actions = [{ type: 'NOTIFY', integrationKind: 'TEMPLATE', parameters }];
    const { id } = await scene.calls.make(scene.receiver.url, { actions });
    const { token } = scene.organization.admin;
    const { body } = await scene.service.api.post<WorkflowPreview>(`/api/v1/workflows/${id}/preview`, { token });
    await scene.calls.run(id);
    await until(() => scene.receiver.received.length > 0, 'the notification');
    const [message = ''] = body.notifications[0]?.messages ?? [];
    expect(JSON.parse(message)).toEqual(JSON.parse(String(scene.receiver.received[0]?.bytes)));
  });

  it('says what a run about nothing would say, and cuts what is endless', async () => {
    await scene.service.database.rows('DELETE FROM issues');
    expect(await textOf({ integrationKind: 'DISCORD' })).toContain('0 new issues');
    const template = { texts: Array(4).fill('so '.repeat(1_300)) };
    expect(await textOf({ integrationKind: 'TEMPLATE', parameters: { template } })).toHaveLength(12_001);
  });
});
