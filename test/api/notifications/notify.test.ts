import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allMailsSent, type MailServer, startMailServer } from '../../support/mail-server.js';
import { until } from '../../support/receiver.js';
import { workflowScene } from '../../support/workflow-scene.js';

let server: MailServer;
// The mail server's address joins these before the service starts.
const env: Record<string, string> = {
  WEBHOOK_RETRY_SECONDS: '0.1,0.1',
  PUBLIC_URL: 'https://scans.example.com',
};
beforeAll(async () => {
  server = await startMailServer();
  Object.assign(env, server.env);
});
afterAll(() => server.close());

const scene = workflowScene({ env, jobs: true });

function notify(kind: string, parameters: Record<string, unknown>, fields: Record<string, unknown> = {}) {
  return { type: 'NOTIFY', integrationKind: kind, parameters, ...fields };
}

async function withIssues(): Promise<void> {
  const asset = await scene.things.asset({ name: 'web shop' });
  const critical = await scene.things.issue(asset, { name: 'Remote code <execution>', severity: 'CRITICAL' });
  await scene.things.target(critical, { codeFile: { path: 'src/run.ts', line: 7 } });
  for (let number = 0; number < 12; number++) await scene.things.issue(asset, { name: `Leak ${number}` });
}

async function sent(kind: string, parameters: Record<string, unknown> = {}): Promise<string> {
  await withIssues();
  const actions = [notify(kind, { url: scene.receiver.url, ...parameters })];
  const { id } = await scene.calls.make(scene.receiver.url, { actions });
  await scene.calls.run(id);
  await scene.receiver.has(1);
  return String(scene.receiver.received[0]?.bytes);
}

describe('A notification', () => {
  it('comes to Slack as blocks, with counts, and the worst ten with place and link', async () => {
    const body = JSON.parse(await sent('SLACK')) as {
      text: string;
      blocks: { type: string; text?: { text: string } }[];
    };
    expect(body.text).toBe('13 issues: 1 critical, 12 high');
    expect(body.blocks.map(({ type }) => type)).toEqual(['header', 'section', 'context']);
    const [first = '', ...rest] = body.blocks[1]?.text?.text.split('\n') ?? [];
    expect(first).toContain('|Remote code &lt;execution&gt;> – web shop, src/run.ts:7');
    expect(first).toContain(`<https://scans.example.com/console/scanning/issues?organization=${scene.organization.id}`);
    expect(rest).toHaveLength(10);
    expect(rest.at(-1)).toBe('and 3 more');
  });

  it('comes to Teams as an adaptive card', async () => {
    const body = JSON.parse(await sent('TEAMS')) as {
      type: string;
      attachments: { contentType: string; content: { type: string; body: object[] } }[];
    };
    expect(body.type).toBe('message');
    expect(body.attachments[0]?.contentType).toBe('application/vnd.microsoft.card.adaptive');
    expect(body.attachments[0]?.content.type).toBe('AdaptiveCard');
    expect(JSON.stringify(body.attachments[0]?.content.body)).toContain('{"title":"CRITICAL","value":"1"}');
  });

  it('comes to Discord as an embed that mentions nobody', async () => {
    const body = JSON.parse(await sent('DISCORD')) as { embeds: { title: string }[]; allowed_mentions: object };
    expect(body.embeds[0]?.title).toBe('13 issues: 1 critical, 12 high');
    expect(body.allowed_mentions).toEqual({ parse: [] });
  });

  it('comes as a body of one’s own, in which a lone number stays a number', async () => {
    const template = { event: '{{ title }}', count: '{{issues.critical}}', list: ['{{ worst }}'], same: true };
    const body = JSON.parse(await sent('TEMPLATE', { template })) as Record<string, unknown>;
    expect(body).toMatchObject({ event: '13 issues: 1 critical, 12 high', count: 1, same: true });
    expect(String((body['list'] as string[])[0])).toContain(
      'CRITICAL Remote code <execution> (web shop, src/run.ts:7)',
    );
  });

  it('comes once for each issue where the action asks for that', async () => {
    const template = { summary: '{{ issue.name }}', link: '{{ issue.url }}' };
    await sent('TEMPLATE', { template, perIssue: true });
    const received = await scene.receiver.has(13);
    const names = received.map(({ bytes }) => (JSON.parse(String(bytes)) as { summary: string }).summary);
    expect(names).toContain('Remote code <execution>');
    expect(new Set(names).size).toBe(13);
  });

  it('is mailed to the members of the organization that it names', async () => {
    await withIssues();
    const { userId } = scene.organization.member;
    const actions = [notify('EMAIL', { memberIds: [userId] })];
    const { id } = await scene.calls.make(scene.receiver.url, { actions });
    await scene.calls.run(id);
    const [run] = await scene.calls.settledRuns(id);
    expect(run).toMatchObject({ status: 'SENT', reason: null, deliveries: [] });
    await until(() => server.mails.length > 0, 'a mail');
    await allMailsSent(scene.service);
    const mail = server.mails.at(-1);
    expect(mail?.subject).toContain('13 issues: 1 critical, 12 high');
    expect(mail?.text).toContain('CRITICAL:');
    expect(mail?.text).toContain('and 3 more');
  });

  it('carries no credentials, wherever a finding has them', async () => {
    const asset = await scene.things.asset({ name: 'https://bob:hunter22@shop.example.com' });
    await scene.things.issue(asset, { name: `Token ghp_16C7e42F292c6912E7710c838347Ae178B4a in code` });
    const actions = [notify('SLACK', { url: scene.receiver.url })];
    const { id } = await scene.calls.make(scene.receiver.url, { actions });
    await scene.calls.run(id);
    await scene.receiver.has(1);
    const body = String(scene.receiver.received[0]?.bytes);
    expect(body).toContain('Token');
    expect(body).not.toContain('hunter22');
    expect(body).not.toContain('ghp_16C7e42F292c');
  });

  it('is sent again after a 429, not before the time that Slack asks for', async () => {
    scene.receiver.answer = (response) => {
      scene.receiver.answer = (next) => next.end('ok');
      response.writeHead(429, { 'Retry-After': '1' }).end();
    };
    const body = await sent('SLACK');
    const [first, second] = await scene.receiver.has(2);
    expect(String(second?.bytes)).toBe(body);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(950);
  });

  it('sends a test in its own form', async () => {
    const actions = [notify('SLACK', { url: scene.receiver.url })];
    const { id } = await scene.calls.make(scene.receiver.url, { actions });
    const { token } = scene.organization.admin;
    const path = `/api/v1/workflows/${id}/test`;
    const { body } = await scene.service.api.post<{ results: { delivered: boolean }[] }>(path, { token });
    expect(body.results).toMatchObject([{ delivered: true }]);
    expect(String(scene.receiver.received[0]?.bytes)).toContain('This is a test');
  });
});

describe('The address of a chat', () => {
  it('is masked for everybody, in workflows and deliveries, and stays when the mask comes back', async () => {
    const url = `${scene.receiver.url}/T000/B000/secretsecretsecret`;
    const made = await scene.calls.make(url, { actions: [notify('SLACK', { url })] });
    const shown = made.actions[0]?.parameters.url ?? '';
    expect(shown).toContain('••••');
    expect(shown).not.toContain('secretsecret');
    const { status } = await scene.calls.patch(made.id, { actions: made.actions });
    expect(status).toBe(200);
    await scene.calls.run(made.id);
    const [request] = await scene.receiver.has(1);
    expect(request?.path).toBe('/hook/T000/B000/secretsecretsecret');
    const delivery = await scene.calls.deliveryThatIs(made.id, 'DELIVERED');
    expect(delivery.url).toBe(shown);
  });
});

describe('POST /api/v1/workflows with a notification', () => {
  const refused = async (kind: string, parameters: Record<string, unknown>, type = 'NOTIFY') =>
    scene.calls.create(scene.receiver.url, { actions: [{ type, integrationKind: kind, parameters }] });

  it.each<[string, string, Record<string, unknown>, string]>([
    ['an unknown field', 'TEMPLATE', { template: { a: '{{ nobody }}' } }, 'template'],
    ['a nested placeholder', 'TEMPLATE', { template: { a: '{{ {{ title }} }}' } }, 'template'],
    ['a placeholder in a name', 'TEMPLATE', { template: { '{{ title }}': 1 } }, 'template'],
    ['a field of an issue in a message about all', 'TEMPLATE', { template: { a: '{{ issue.name }}' } }, 'template'],
    ['a body that could become too large', 'TEMPLATE', { template: { a: '{{worst}}'.repeat(20) } }, 'template'],
    ['no body', 'TEMPLATE', {}, 'template'],
    ['a body for a chat', 'SLACK', { template: { a: 'b' } }, 'template'],
    ['headers for a chat', 'SLACK', { headers: [{ name: 'X-A', value: 'b' }] }, 'headers'],
    ['no members', 'EMAIL', { url: undefined }, 'memberIds'],
    ['a stranger', 'EMAIL', { url: undefined, memberIds: ['00000000-0000-4000-8000-000000000000'] }, 'memberIds'],
  ])('refuses %s', async (_what, kind, parameters, field) => {
    const { status, body } = await refused(kind, { url: scene.receiver.url, ...parameters });
    expect(status).toBe(422);
    expect(body.detail[0]?.loc.slice(0, 5)).toEqual(['body', 'actions', 0, 'parameters', field]);
  });

  it('refuses a kind that does not belong to the type', async () => {
    expect((await refused('WEBHOOK', { url: scene.receiver.url })).status).toBe(422);
    expect((await refused('SLACK', { url: scene.receiver.url }, 'EXPORT')).status).toBe(422);
  });

  it('masks secrets in a body, and keeps them when the mask comes back', async () => {
    const template = { routing_key: 'R0123456789ABCDEF0123456789ABCD', payload: { summary: '{{ title }}' } };
    const actions = [notify('TEMPLATE', { url: scene.receiver.url, template })];
    const made = await scene.calls.make(scene.receiver.url, { actions });
    expect(JSON.stringify(made)).not.toContain('R0123456789ABCDEF');
    expect((await scene.calls.patch(made.id, { actions: made.actions })).status).toBe(200);
    await scene.calls.run(made.id);
    const body = await scene.receiver.payload<Record<string, unknown>>(0);
    expect(body).toEqual({ routing_key: template.routing_key, payload: { summary: '0 issues' } });
  });
});
