import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditPage } from '../../../src/scanning/organization-audit/organization-audit.dto.js';
import { WorkflowsService } from '../../../src/scanning/workflows/workflows.service.js';
import { insertAdmin } from '../../support/accounts.js';
import { auditedBy } from '../../support/audit.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { makeResource, resourceBodies } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { WorkflowCalls } from '../../support/workflows.js';

const url = 'https://192.0.32.10/hook';
let app: TestApp;
let acme: InsertedOrganization;
beforeAll(async () => {
  app = await startTestApp();
  acme = await insertOrganization(app);
});
afterAll(() => app.close());

const tag = (name: string, of = acme) => makeResource(app, of, 'tags', resourceBodies.tags(name));
const list = (query = '', token = acme.admin.token) =>
  app.api.get<AuditPage>(`/api/v1/organizations/${acme.id}/audit${query}`, { token });

describe('GET /api/v1/organizations/{id}/audit', () => {
  it('lists what people and API keys did', async () => {
    const key = await acme.key('admin', { name: 'CI pipeline' });
    const { id, name } = await tag('obsolete');
    await app.api.delete(`/api/v1/tags/${id.toUpperCase()}`, { headers: { 'x-api-key': key } });
    const workflow = await new WorkflowCalls(app, acme).make(url);
    const json = { enabled: false, throttleMs: 5_000 };
    await app.api.patch(`/api/v1/workflows/${workflow.id}`, { token: acme.admin.token, json });
    const { data } = (await list()).body;
    const person = { kind: 'user', id: acme.admin.userId, name: acme.admin.username };
    const subject = { type: 'workflow', id: workflow.id, name: workflow.name };
    expect(data.map((entry) => ({ ...entry, id: 'id', createdAt: 'then', requestId: 'request' }))).toMatchObject([
      { action: 'workflow.disabled', actor: person, subject, changes: { enabled: { from: true, to: false } } },
      { action: 'workflow.updated', actor: person, subject, changes: { throttleMs: { from: 0, to: 5_000 } } },
      { action: 'workflow.created', actor: person, subject, changes: { actions: { changed: true } } },
      {
        action: 'tag.deleted',
        actor: { kind: 'api_key', id: expect.any(String), name: 'CI pipeline' },
        subject: { type: 'tag', id, name },
        changes: {},
        address: '127.0.0.1',
      },
    ]);
    expect(Object.keys(data[1]?.changes ?? {})).toEqual(['throttleMs']);
  });

  it('filters and pages as the log of the shop does', async () => {
    for (const name of ['one', 'two', 'three']) {
      await app.api.delete(`/api/v1/tags/${(await tag(name)).id}`, { token: acme.admin.token });
    }
    const filter = `?action=tag.deleted&subjectType=tag&actorId=${acme.admin.userId}&since=2026-01-01T00:00:00Z&size=2`;
    const { body: first } = await list(filter);
    expect(first.data.map(({ subject }) => subject.name)).toEqual(['three', 'two']);
    const { body: second } = await list(`${filter}&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ data: [{ subject: { name: 'one' } }], nextCursor: null });
    const { body: found } = await list(`?subjectId=${second.data[0]?.subject.id}`);
    expect(found.data).toHaveLength(1);
    expect((await list('?actor=somebody')).status).toBe(422);
  });

  it("is for the organization's admins alone, who see no other log", async () => {
    const other = await insertOrganization(app);
    await app.api.delete(`/api/v1/tags/${(await tag('theirs', other)).id}`, { token: other.admin.token });
    const { body } = await list();
    expect(body.data.filter(({ subject }) => subject.name === 'theirs')).toEqual([]);
    expect((await list('', acme.member.token)).status).toBe(403);
    expect((await list('', other.admin.token)).status).toBe(404);
    expect((await list('', (await insertAdmin(app)).token)).status).toBe(404);
  });
});

describe('What the service does by itself', () => {
  it('is attributed to the system: an action disabled because its receiver is gone is logged once', async () => {
    const { id, actions } = await new WorkflowCalls(app, acme).make(url);
    const workflows = app.nest.get(WorkflowsService, { strict: false });
    const entries = await auditedBy(app, async () => {
      await workflows.actionFailed(actions[0]?.id ?? '', 'The receiver responded with 410 (gone)', true);
      await workflows.actionFailed(actions[0]?.id ?? '', 'The receiver responded with 410 (gone)', true);
    });
    expect(entries).toMatchObject([
      { action: 'workflow.action_disabled', actor_kind: 'system', subject_id: id, log_id: acme.id, address: null },
    ]);
  });
});
