import { createHmac, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type WorkflowTriggerType, workflowTriggerTypes } from '../../../src/scanning/vocabulary.js';
import { insertOrganization } from '../../support/organizations.js';
import { holdToSchema, type PayloadSchemas } from '../../support/payload-schemas.js';
import { type Received, until } from '../../support/receiver.js';
import { WorkflowCalls, webhook } from '../../support/workflows.js';
import { workflowScene } from '../../support/workflow-scene.js';

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const scene = workflowScene({ jobs: true });
let schemas: PayloadSchemas;
beforeAll(async () => {
  schemas = await holdToSchema(scene.service.baseUrl);
});

/** The names of the secrets that signed the request, in the order of its signatures. */
function signers({ headers, bytes }: Received, secrets: Record<string, string>): (string | undefined)[] {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  const names = new Map(
    Object.entries(secrets).map(([name, secret]) => {
      const mac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
      return [
        `v1,${mac
          .update(`${String(id)}.${String(timestamp)}.`)
          .update(bytes)
          .digest('base64')}`,
        name,
      ];
    }),
  );
  return String(signature)
    .split(' ')
    .map((one) => names.get(one));
}

interface Rotated {
  secret: string;
  previousSecretExpiresAt: string | null;
}

async function rotate(workflowId: string, json: object = {}, token = scene.organization.admin.token) {
  const { actions } = await scene.calls.get(workflowId);
  const path = `/api/v1/workflows/${workflowId}/actions/${actions[0]?.id}/rotate-secret`;
  return scene.service.api.post<Rotated>(path, { token, json });
}

async function send(workflowId: string): Promise<Received> {
  const count = scene.receiver.received.length + 1;
  await scene.calls.run(workflowId);
  const sent = (await scene.receiver.has(count))[count - 1];
  if (!sent) throw new Error('Nothing came');
  return sent;
}

describe('POST /api/v1/workflows/{id}/actions/{actionId}/rotate-secret', () => {
  it('makes a secret that signs beside the previous one until the overlap ends', async () => {
    const first = newSecret();
    const { id } = await scene.calls.make(scene.receiver.url, { parameters: { secret: first } });
    const { status, body } = await rotate(id, { overlapSeconds: 3_600 });
    expect(status).toBe(200);
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const secrets = { first, second: body.secret };
    expect(signers(await send(id), secrets)).toEqual(['second', 'first']);
    const left = Date.parse(String(body.previousSecretExpiresAt)) - Date.now();
    expect(left).toBeGreaterThan(3_000_000);
    expect(left).toBeLessThanOrEqual(3_600_000);
    expect((await scene.calls.get(id)).actions[0]).toMatchObject({
      previousSecretExpiresAt: body.previousSecretExpiresAt,
      parameters: { secret: `••••${body.secret.slice(-4)}` },
    });
    const { body: third } = await rotate(id, { overlapSeconds: 0 });
    expect(third.previousSecretExpiresAt).toBeNull();
    expect(signers(await send(id), { ...secrets, third: third.secret })).toEqual(['third']);
  });

  it('accepts a secret from the caller, also when there was none', async () => {
    const { id } = await scene.calls.make(scene.receiver.url);
    const given = newSecret();
    const { body } = await rotate(id, { secret: given });
    expect(body).toEqual({ secret: given, previousSecretExpiresAt: null });
    expect(signers(await send(id), { given })).toEqual(['given']);
  });

  it('keeps the overlap through an update of something else, and ends it with one of the secret', async () => {
    const first = newSecret();
    const { id } = await scene.calls.make(scene.receiver.url, { parameters: { secret: first } });
    const { body } = await rotate(id);
    const { actions } = await scene.calls.get(id);
    expect(
      (await scene.calls.patch(id, { actions: [{ ...webhook(scene.receiver.url), id: actions[0]?.id }] })).status,
    ).toBe(200);
    // And a secret that is sent back as read.
    expect((await scene.calls.patch(id, { actions: [...actions] })).status).toBe(200);
    expect(signers(await send(id), { first, second: body.secret })).toEqual(['second', 'first']);
    const third = newSecret();
    await scene.calls.patch(id, {
      actions: [{ ...webhook(scene.receiver.url, { secret: third }), id: actions[0]?.id }],
    });
    expect(signers(await send(id), { first, second: body.secret, third })).toEqual(['third']);
  });

  it('ends no secret before its time by a further rotation', async () => {
    const first = newSecret();
    const { id } = await scene.calls.make(scene.receiver.url, { parameters: { secret: first } });
    const { body: second } = await rotate(id, { overlapSeconds: 7_200 });
    const { body: third } = await rotate(id, { overlapSeconds: 1 });
    expect(third.previousSecretExpiresAt).toBe(second.previousSecretExpiresAt);
    const secrets = { first, second: second.secret, third: third.secret };
    await until(async () => signers(await send(id), secrets).join(' ') === 'third first');
  });

  it('survives concurrent rotations: all secrets sign, up to ten', async () => {
    const given = newSecret();
    const { id } = await scene.calls.make(scene.receiver.url, { parameters: { secret: given } });
    const answers = await Promise.all(Array.from({ length: 9 }, () => rotate(id)));
    const secrets = Object.fromEntries(answers.map(({ body }, n) => [String(n), body.secret]));
    const signed = signers(await send(id), { ...secrets, given });
    expect(new Set(signed)).toEqual(new Set([...Object.keys(secrets), 'given']));
    const refused = await rotate(id);
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({ code: 'conflict', detail: expect.stringContaining('overlapSeconds 0') }),
    ]);
    const { body: last } = await rotate(id, { overlapSeconds: 0 });
    expect(signers(await send(id), { ...secrets, last: last.secret })).toEqual(['last']);
  });

  it('has the secret that is used again sign once', async () => {
    const first = newSecret();
    const { id } = await scene.calls.make(scene.receiver.url, { parameters: { secret: first } });
    const { body: second } = await rotate(id);
    await rotate(id, { secret: first });
    expect(signers(await send(id), { first, second: second.secret })).toEqual(['first', 'second']);
  });

  it.each([
    [{ secret: 'short' }, 'secret'],
    [{ overlapSeconds: -1 }, 'overlapSeconds'],
    [{ overlapSeconds: 2_592_001 }, 'overlapSeconds'],
  ])('responds with 422 for %j', async (json, field) => {
    const { id } = await scene.calls.make(scene.receiver.url);
    const { status, body } = await rotate(id, json);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', field] }] });
  });

  it('responds with 422 for the current secret, and does not repeat it', async () => {
    const secret = newSecret();
    const { id } = await scene.calls.make(scene.receiver.url, { parameters: { secret } });
    const { status, body } = await rotate(id, { secret });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).not.toContain(secret.slice(6));
  });

  it('is 403 for a member, and 404 for an action of another workflow or organization', async () => {
    const { id } = await scene.calls.make(scene.receiver.url);
    const other = await scene.calls.make(scene.receiver.url);
    expect((await rotate(id, {}, scene.organization.member.token)).status).toBe(403);
    const stranger = await insertOrganization(scene.service);
    expect((await rotate(id, {}, stranger.admin.token)).status).toBe(404);
    const path = `/api/v1/workflows/${id}/actions/${other.actions[0]?.id}/rotate-secret`;
    expect((await scene.service.api.post(path, { token: scene.organization.admin.token, json: {} })).status).toBe(404);
  });
});

describe('POST /api/v1/workflows/{id}/test', () => {
  interface Results {
    results: {
      actionId: string;
      delivered: boolean;
      statusCode: number | null;
      error: string | null;
      response: string;
    }[];
  }
  const test = (id: string, token = scene.organization.admin.token) =>
    scene.service.api.post<Results>(`/api/v1/workflows/${id}/test`, { token });
  const received = () => JSON.parse(String(scene.receiver.received.at(-1)?.bytes)) as Record<string, unknown[]>;

  function filledBy(type: WorkflowTriggerType): number {
    if (type === 'MANUAL' || type === 'SCHEDULE') return 6;
    if (type.startsWith('SCAN')) return 5;
    return type.includes('ISSUE') ? 4 : 1;
  }

  it.each(workflowTriggerTypes)('sends a sample of what %s sends, in the chosen variant', async (type) => {
    const trigger = { type, ...(type === 'SCHEDULE' ? { cron: '0 6 * * *' } : {}) };
    const { id, actions } = await scene.calls.make(scene.receiver.url, { trigger });
    for (const shape of ['default', 'scoped'] as const) {
      await scene.chooseVariant(shape);
      const { status, body } = await test(id);
      expect(status).toBe(200);
      expect(body.results).toMatchObject([
        { actionId: actions[0]?.id, delivered: true, statusCode: 200, error: null, response: 'thanks' },
      ]);
      schemas[shape](received());
      expect(received()['test']).toBe(true);
      const filled = Object.entries(received()).filter(([, list]) => Array.isArray(list) && list.length === 1);
      expect(filled).toHaveLength(filledBy(type));
    }
    expect(await scene.calls.runs(id)).toEqual([]);
    expect(await scene.calls.deliveries(id)).toEqual([]);
  });

  it('goes to each enabled action, with its headers, signature and resources, and returns the result', async () => {
    const secret = newSecret();
    const headers = [{ name: 'X-Token', value: 'of-the-action' }];
    const { id } = await scene.calls.make(scene.receiver.url, {
      actions: [
        webhook(scene.receiver.url, { secret, headers, resources: ['scans'] }),
        webhook(scene.receiver.url, {}, { enabled: false }),
      ],
    });
    scene.receiver.answer = (response) => response.writeHead(500).end('broken');
    const { body } = await test(id);
    expect(body.results).toMatchObject([
      { delivered: false, statusCode: 500, error: expect.stringContaining('500'), response: 'broken' },
    ]);
    expect(scene.receiver.received).toHaveLength(1);
    const [request] = scene.receiver.received;
    expect(request?.headers['x-token']).toBe('of-the-action');
    expect(request && signers(request, { secret })).toEqual(['secret']);
    expect(received()).toMatchObject({ scans: [{}], issues: [], profiles: [] });
    const [action] = (await scene.calls.get(id)).actions;
    expect(action).toMatchObject({ enabled: true, disabledReason: null });
  });

  it('serves others at once while twenty tests of one organization hang, and responds with 429 to the excess', async () => {
    const globex = await insertOrganization(scene.service);
    const others = new WorkflowCalls(scene.service, globex);
    const theirs = await others.make(scene.receiver.url);
    const { id } = await scene.calls.make(`${scene.receiver.url}/hanging`);
    const held: (() => void)[] = [];
    scene.receiver.answer = (response) => void held.push(() => response.end());

    const hanging = Array.from({ length: 20 }, () => test(id));
    await scene.receiver.has(2);
    // Two are being sent and eight wait; the other ten are refused before any of these is released.
    let refused = 0;
    for (const answer of hanging) void answer.then(({ status }) => (refused += Number(status === 429)));
    await until(() => refused === 10);
    scene.receiver.answer = (response) => response.end('thanks');
    expect((await test(theirs.id, globex.admin.token)).body).toMatchObject({ results: [{ delivered: true }] });
    for (const release of held) release();
    const statuses = (await Promise.all(hanging)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  });

  it('is 409 while the workflow, or all of its actions, are disabled', async () => {
    const off = await scene.calls.make(scene.receiver.url, { enabled: false });
    expect(await test(off.id)).toMatchObject({ status: 409, body: { code: 'workflow_disabled' } });
    const idle = await scene.calls.make(scene.receiver.url, {
      actions: [webhook(scene.receiver.url, {}, { enabled: false })],
    });
    expect(await test(idle.id)).toMatchObject({ status: 409, body: { code: 'action_disabled' } });
    expect(scene.receiver.received).toEqual([]);
  });

  it('is 403 for a member and 404 for another organization', async () => {
    const { id } = await scene.calls.make(scene.receiver.url);
    expect((await test(id, scene.organization.member.token)).status).toBe(403);
    expect((await test(id, (await insertOrganization(scene.service)).admin.token)).status).toBe(404);
  });
});
