import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import {
  eventTriggerTypes,
  issueSeverities,
  type WorkflowTriggerType,
  workflowTriggerTypes,
} from '../../../src/scanning/vocabulary.js';
import { ExporterService } from '../../../src/scanning/webhook-export/exporter.service.js';
import type { WorkflowPreview } from '../../../src/scanning/webhook-export/preview.dto.js';
import { scanStatusOf } from '../../../src/scanning/workflows/condition-rules.js';
import { type PayloadRoot, payloadRoots } from '../../../src/scanning/workflows/payload-roots.js';
import { holdToSchema, type PayloadSchemas } from '../../support/payload-schemas.js';
import { nothing, twoOfEverything } from '../../support/two-of-everything.js';
import { publicUrl, workflowScene } from '../../support/workflow-scene.js';

type Payload = Record<string, Record<string, unknown>[]>;
type Preview = WorkflowPreview & { default: Payload; scoped: Payload };

const secret = 'AKIA1234567890ABCDEF';

const scene = workflowScene();
let schemas: PayloadSchemas;
beforeAll(async () => {
  schemas = await holdToSchema(scene.service.baseUrl);
});

function preview(id: string, { full = false, token = scene.organization.admin.token } = {}) {
  return scene.service.api.post<Preview>(`/api/v1/workflows/${id}/preview${full ? '?full=true' : ''}`, { token });
}

function previewDraft(json: object, { full = false, token = scene.organization.admin.token } = {}) {
  return scene.service.api.post<Preview>(`/api/v1/workflows/preview${full ? '?full=true' : ''}`, { token, json });
}

/** Exports the run, and returns the payload and length of its newest delivery. */
async function sent(workflowId: string, runId: string): Promise<{ payload: Payload; bytes: number } | null> {
  await scene.service.nest.get(ExporterService, { strict: false }).run(runId);
  const delivery = (await scene.calls.deliveries(workflowId)).find((one) => one.runId === runId);
  if (!delivery) return null;
  const { token } = scene.organization.admin;
  const { body } = await scene.service.api.get<Payload>(`/api/v1/deliveries/${delivery.id}/payload`, { token });
  return { payload: body, bytes: delivery.payloadBytes };
}

const ofIssues = {
  severities: issueSeverities,
  issueStatuses: ['OPEN', 'RESOLVED'],
  categories: ['INJECTION', 'SCHEMA'],
};
const ofAssets = { assetTypes: ['REST', 'DNS', 'WEBAPP'], assetClasses: ['API_SERVICE', 'HOST'] };
const ofScans = { scanKinds: ['BLST_REST', 'FRONTEND_DAST'] };
const search = ['other', 'example', 'nothing has this'];

/** Conditions that the trigger can meet, with values taken from the scanned things. */
function conditionsOf(type: WorkflowTriggerType): fc.Arbitrary<Record<string, unknown>> {
  const named = ['INTEGRATION_FAILED', 'LOCATION_DOWN'].includes(type);
  const about = type.startsWith('ASSET') ? ofAssets : { ...ofAssets, ...ofScans };
  const all = type.startsWith('ASSET') || type === 'SCAN_STARTED' ? about : { ...ofIssues, ...about };
  const lists = Object.entries(named ? {} : all).map(([name, values]) => [
    name,
    fc.subarray([...values], { minLength: 1 }),
  ]);
  const model = { ...(Object.fromEntries(lists) as object), search: fc.constantFrom(...search) };
  return fc.record(model, { requiredKeys: [] });
}

const triggerOf = (type: WorkflowTriggerType) => ({ type, ...(type === 'SCHEDULE' ? { cron: '0 6 * * *' } : {}) });
const resources = fc.option(fc.subarray([...payloadRoots], { minLength: 1 }));

/** The roots that a trigger fills. */
function filledBy(type: WorkflowTriggerType): readonly PayloadRoot[] {
  if (type === 'MANUAL' || type === 'SCHEDULE') return payloadRoots;
  if (type === 'INTEGRATION_FAILED') return ['integrations'];
  if (type === 'LOCATION_DOWN') return ['locations'];
  if (type.startsWith('ASSET')) return ['assets'];
  return payloadRoots.filter((root) => root !== 'integrations');
}

describe('A preview', () => {
  it.each(workflowTriggerTypes)(
    'shows what a run by hand of a workflow with the trigger %s sends, whatever the conditions and resources',
    async (type) => {
      await twoOfEverything(scene.things);
      await scene.things.integration({ apiKey: secret });
      const given = fc.record({ conditions: conditionsOf(type), resources, scoped: fc.boolean() });
      const holds = async (choice: { conditions: object; resources: string[] | null; scoped: boolean }) => {
        const shape = choice.scoped ? 'scoped' : 'default';
        await scene.chooseVariant(shape);
        const { id } = await scene.calls.make(publicUrl, {
          trigger: triggerOf(type),
          conditions: { ...choice.conditions },
          parameters: { resources: choice.resources },
        });
        const { body: whole } = await preview(id, { full: true });
        const { body: short } = await preview(id);
        const action = { type: 'EXPORT', integrationKind: 'WEBHOOK', parameters: { resources: choice.resources } };
        const draft = { trigger: triggerOf(type), conditions: choice.conditions, actions: [action] };
        const ofNoId = (one: Preview) => ({ ...one, actions: one.actions.map((sender) => ({ ...sender, id: null })) });
        expect((await previewDraft(draft)).body).toEqual(ofNoId(short));
        expect((await previewDraft(draft, { full: true })).body).toEqual(ofNoId(whole));
        const run = await sent(id, await scene.calls.run(id));
        expect(whole[shape]).toEqual(run?.payload);
        // Few enough for the short preview to have them all.
        expect(short).toEqual(whole);
        expect(whole.shape).toBe(shape);
        expect(whole.actions.map(({ payloadBytes }) => payloadBytes)).toEqual([run?.bytes]);
        const arrays = payloadRoots.map((root) => (whole.bytes[shape][root] ?? 0) - '[]'.length);
        expect(JSON.stringify(nothing).length + arrays.reduce((sum, bytes) => sum + bytes)).toBe(run?.bytes);
        for (const root of payloadRoots) {
          expect(whole.counts[root]).toBe(run?.payload[root]?.length);
          if (!filledBy(type).includes(root)) expect(whole.counts[root]).toBe(0);
        }
      };
      await fc.assert(fc.asyncProperty(given, holds), { numRuns: 6 });
    },
  );

  it.each(eventTriggerTypes)('shows what %s sends when it is about everything', async (type) => {
    const { all } = await twoOfEverything(scene.things);
    // A run by hand is about the scans that such an event can be about.
    const status = scanStatusOf[type];
    if (status) {
      const became = 'UPDATE scans SET status = $2 WHERE organization_id = $1';
      await scene.service.database.rows(became, [scene.organization.id, status]);
    }
    const { id } = await scene.calls.make(publicUrl, { trigger: { type } });
    const root = filledBy(type).find((one) => type.includes(one.slice(0, -1).toUpperCase()));
    const subjects = all[root ?? 'issues'];
    expect(subjects.length).toBeGreaterThan(0);
    const runId = await scene.calls.run(id);
    const sql = 'UPDATE workflow_runs SET trigger_type = $2, subjects = $3 WHERE id = $1';
    await scene.service.database.rows(sql, [runId, type, JSON.stringify(subjects)]);
    const run = await sent(id, runId);
    expect((await preview(id, { full: true })).body.default).toEqual(run?.payload);
  });

  it('shows the newest 20 of each root, counts all, and shows all on request', async () => {
    for (let n = 0; n < 25; n++) await scene.things.profile({ name: `Profile ${n}` });
    const { id } = await scene.calls.make(publicUrl);
    const { body } = await preview(id);
    schemas.default(body.default);
    schemas.scoped(body.scoped);
    expect(body.default['profiles']?.map(({ name }) => name)).toEqual(
      Array.from({ length: 20 }, (_, n) => `Profile ${24 - n}`),
    );
    expect(body.counts).toMatchObject({ profiles: 25, issues: 0 });
    const { body: whole } = await preview(id, { full: true });
    expect(whole.default['profiles']).toHaveLength(25);
    expect(whole.scoped['profiles']).toHaveLength(25);
    expect(whole.bytes).toEqual(body.bytes);
    expect(await scene.calls.runs(id)).toEqual([]);
  });

  it('has the limits of a run, for each action separately', async () => {
    const assetId = await scene.things.asset();
    const half = 'x'.repeat(26 * 1024 * 1024);
    for (let n = 0; n < 2; n++) await scene.things.issue(assetId, { context: half });
    await scene.things.profile();
    const actions = [['issues'], ['assets', 'profiles'], null].map((roots) => ({
      type: 'EXPORT',
      integrationKind: 'WEBHOOK',
      parameters: { url: publicUrl, ...(roots ? { resources: roots } : {}) },
    }));
    const { id } = await scene.calls.make(publicUrl, { actions });
    const { body } = await preview(id);
    expect(body.actions.map(({ payloadBytes }) => payloadBytes === null)).toEqual([true, false, true]);
    expect(body.bytes.default).toMatchObject({ issues: null, assets: expect.any(Number) });
    expect(body.default['issues']).toEqual([]);
    const runId = await scene.calls.run(id);
    expect((await sent(id, runId))?.payload).toMatchObject({ issues: [], assets: [{ id: assetId }], profiles: [{}] });
    const reason = expect.stringMatching(/action 1, 3: .*50 MiB/);
    expect(await scene.calls.runs(id)).toMatchObject([{ id: runId, status: 'SENT', reason }]);
    expect(await scene.calls.deliveries(id)).toMatchObject([{ payloadBytes: body.actions[1]?.payloadBytes }]);
  });

  it('is 403 for a viewer, and 422 for a malformed `full`', async () => {
    const { id } = await scene.calls.make(publicUrl);
    expect((await preview(id, { token: scene.organization.viewer.token })).status).toBe(403);
    const { token } = scene.organization.admin;
    expect((await scene.service.api.post(`/api/v1/workflows/${id}/preview?full=maybe`, { token })).status).toBe(422);
  });
});

describe('The credentials in a preview', () => {
  const headers = {
    Authorization: 'Bearer of-the-request',
    Cookie: 'session=of-the-request',
    'X-Api-Key': 'key-of-the-request',
    'X-Auth-Token': 'token-of-the-request',
    'proxy-authorization': 'Basic of-the-request',
    Accept: 'text/plain',
  };
  const answered = { 'Set-Cookie': ['a=of-the-answer', 'b=of-the-answer'], 'content-type': 'text/html' };
  const attachment = {
    id: 'a',
    type: 'EXCHANGE',
    exchange: {
      request: { method: 'GET', url: 'https://example.com/?page=1&access_token=in-the-query', headers },
      response: { status: 200, headers: answered },
    },
  };

  async function withCredentials(): Promise<string> {
    const service = { id: uuidV7(), type: 'REST', url: 'https://me:pass-of-the-service@example.com/v1' };
    const assetId = await scene.things.asset({ uri: 'asset://host/https://me:of-the-uri@example.com', service });
    const profileId = await scene.things.profile();
    const scanId = await scene.things.scan(profileId);
    const issueId = await scene.things.issue(assetId, {
      scan_id: scanId,
      context: 'See https://me:in-the-text@example.com/',
    });
    const attachments = [attachment];
    await scene.things.event(scanId, profileId, { issue_ids: [issueId], attachments });
    await scene.things.integration({ apiKey: secret, region: 'eu-central-1', accounts: [{ token: 'abcdefghijkl' }] });
    return (await scene.calls.make(publicUrl)).id;
  }

  const inEvent = 'issues[0].events[0].attachments[0].exchange';
  const places = [
    'assets[0].service.url',
    'assets[0].uri',
    'integrations[0].parameters.accounts[0].token',
    'integrations[0].parameters.apiKey',
    'issues[0].asset.service.url',
    'issues[0].asset.uri',
    'issues[0].context',
    `${inEvent}.request.headers.Authorization`,
    `${inEvent}.request.headers.Cookie`,
    `${inEvent}.request.headers.X-Api-Key`,
    `${inEvent}.request.headers.X-Auth-Token`,
    `${inEvent}.request.headers.proxy-authorization`,
    `${inEvent}.request.url`,
    `${inEvent}.response.headers.Set-Cookie[0]`,
    `${inEvent}.response.headers.Set-Cookie[1]`,
  ];

  it('are shown as names everywhere', async () => {
    const { body } = await preview(await withCredentials());
    expect([...body.credentials].sort()).toEqual(places);
    expect(body.credentialCount).toBe(places.length);
    expect(JSON.stringify(body.default)).toContain('of-the-request');
  });

  it.each([false, true])('are masked for a member, with full=%s', async (full) => {
    const { body } = await preview(await withCredentials(), { full, token: scene.organization.member.token });
    const text = JSON.stringify(body);
    expect(text).not.toMatch(/of-the-|in-the-|AKIA1234|abcdefghijkl/);
    expect(text).toContain('••••CDEF');
    expect(body.default['integrations']).toMatchObject([{ parameters: { region: 'eu-central-1' } }]);
    expect(text).toContain('"Accept":"text/plain"');
    expect([...body.credentials].sort()).toEqual(places);
    schemas.default(body.default);
  });
});
