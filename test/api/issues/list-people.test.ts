import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { IssuePage } from '../../../src/scanning/issues/issues.dto.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { ScanningRows } from '../../support/scanning-rows.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const day = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * day);

let app: TestApp;
let organization: InsertedOrganization;
let assetId: string;
const ids: Record<string, string> = {};
beforeAll(async () => {
  app = await startTestApp();
  organization = await insertOrganization(app);
  const rows = new ScanningRows(app, organization.id);
  const tag = await rows.tag();
  assetId = await rows.asset({ name: 'Shop window' }, [tag]);
  ids['tag'] = tag;
  const me = organization.member.userId;
  const other = await rows.asset({ name: 'Back office' });
  const all: [string, string, object][] = [
    ['old', assetId, { created_at: ago(9), due_at: ago(2), severity: 'LOW', assignee_id: me, last_seen_at: ago(1) }],
    [
      'new',
      assetId,
      { created_at: ago(1), due_at: ago(-3), severity: 'CRITICAL', last_seen_at: ago(0.5), tool: 'zap' },
    ],
    ['done', other, { created_at: ago(5), due_at: ago(4), severity: 'HIGH', status: 'RESOLVED', last_seen_at: ago(5) }],
    ['free', other, { created_at: ago(3), severity: 'HIGH', security_test_uid: 'xss', last_seen_at: ago(3) }],
  ];
  for (const [name, asset, columns] of all) ids[name] = await rows.issue(asset, { ...columns });
});
afterAll(() => app.close());

async function list(query: string, token = organization.member.token): Promise<IssuePage> {
  const { status, body } = await app.api.get<IssuePage>(`/api/v1/issues?${query}`, { token });
  expect(status).toBe(200);
  return body;
}
const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id) ?? id;
const namesOf = async (query: string, token?: string) => (await list(query, token)).data.map(({ id }) => nameOf(id));

describe('GET /api/v1/issues', () => {
  it.each([
    ['rule=xss', ['free']],
    ['assetName=WINDOW', ['new', 'old']],
    ['assignee=me', ['old']],
    ['assignee=none', ['new', 'free', 'done']],
    ['overdue=true', ['old']],
    ['overdue=false', ['new', 'free', 'done']],
    [`dueUntil=${ago(-1).toISOString()}`, ['done', 'old']],
    ['tool=zap', ['new']],
    [`firstSeenSince=${ago(4).toISOString()}`, ['new', 'free']],
    [`firstSeenUntil=${ago(4).toISOString()}`, ['done', 'old']],
    [`lastSeenSince=${ago(2).toISOString()}`, ['new', 'old']],
    [`lastSeenUntil=${ago(2).toISOString()}`, ['free', 'done']],
  ])('filters by %s', async (query, names) => {
    expect(await namesOf(query)).toEqual(names);
    expect((await list(`${query}&total=true`)).totalCount).toBe(names.length);
  });

  it('filters by the tag of the asset and by the id of an assignee', async () => {
    expect(await namesOf(`tagIds=${ids['tag']}`)).toEqual(['new', 'old']);
    expect(await namesOf(`assignee=${organization.member.userId}`, organization.viewer.token)).toEqual(['old']);
    expect(await namesOf('assignee=me', organization.viewer.token)).toEqual([]);
  });

  it.each([
    ['created', ['new', 'free', 'done', 'old']],
    ['severity', ['new', 'free', 'done', 'old']],
    ['last-seen', ['new', 'old', 'free', 'done']],
    ['due', ['done', 'old', 'new', 'free']],
  ])('sorts by %s, page by page', async (sort, names) => {
    const seen: string[] = [];
    let page = await list(`sort=${sort}&size=1`);
    for (;;) {
      seen.push(...page.data.map(({ id }) => nameOf(id)));
      if (page.nextCursor === null) break;
      page = await list(`sort=${sort}&size=1&cursor=${page.nextCursor}`);
    }
    expect(seen).toEqual(names);
  });

  it('refuses an assignee that is none, and the cursor of another order', async () => {
    const { token } = organization.member;
    const wrong = await app.api.get<{ detail: object[] }>('/api/v1/issues?assignee=ada', { token });
    expect(wrong.status).toBe(422);
    const { nextCursor } = await list('sort=due&size=1');
    const other = await app.api.get(`/api/v1/issues?sort=severity&cursor=${nextCursor}`, { token });
    expect(other.status).toBe(422);
    expect(other.body).toMatchObject({ detail: [{ loc: ['query', 'cursor'] }] });
  });

  it('shows who is to fix an issue, until when, and the tool that found it', async () => {
    const [old] = (await list('assignee=me')).data;
    const { userId: id, username } = organization.member;
    expect(old).toMatchObject({ assigneeId: id, assignee: { id, username }, acceptedUntil: null, acceptedBy: null });
    const [shown] = (await list('tool=zap')).data;
    expect(shown).toMatchObject({ tool: 'zap', assignee: null, lastSeenAt: expect.any(String) });
  });
});
