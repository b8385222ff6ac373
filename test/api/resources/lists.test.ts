import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { leastUuidAt, uuidV7At } from '../../../src/platform/crypto/uuid-v7.js';
import type { IdCandidates } from '../../../src/scanning/id-lookups/id-lookups.dto.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { ScanningRows } from '../../support/scanning-rows.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

interface Listed {
  data: { id: string }[];
  nextCursor: string | null;
  totalCount?: number;
}

const hour = (number: number) => new Date(Date.UTC(2026, 9, 20, number));
const kinds = ['events', 'issues', 'scans'] as const;
type Kind = (typeof kinds)[number];

let app: TestApp;
let acme: InsertedOrganization;
let things: ScanningRows;
/** Five of each kind, one an hour. */
const made: Record<Kind, string[]> = { events: [], issues: [], scans: [] };
let profileId: string;

beforeAll(async () => {
  app = await startTestApp();
  acme = await insertOrganization(app);
  things = new ScanningRows(app, acme.id);
  profileId = await things.profile();
  const assetId = await things.asset();
  for (let number = 0; number < 5; number++) {
    const created_at = hour(number);
    const own = () => ({ id: uuidV7At(created_at, number), created_at });
    made.scans.push(await things.scan(profileId, own()));
    made.issues.push(await things.issue(assetId, { ...own(), name: `Issue ${number}` }));
    const level = number % 2 === 0 ? 'ERROR' : 'INFO';
    made.events.push(await things.event(made.scans[0]!, profileId, { ...own(), level, title: `Event ${number}` }));
  }
});
afterAll(() => app.close());

async function list(kind: string, query: string): Promise<Listed> {
  const { status, body } = await app.api.get<Listed>(`/api/v1/${kind}?${query}`, { token: acme.viewer.token });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
}
const numbersOf = (kind: Kind, { data }: Listed) => data.map(({ id }) => made[kind].indexOf(id));

describe.each(kinds)('GET /api/v1/%s by time', (kind) => {
  it.each([
    ['since', `since=${hour(3).toISOString()}`, [4, 3]],
    ['until, without that moment', `until=${hour(2).toISOString()}`, [1, 0]],
    ['a span', 'since=2026-10-20T01:00:00Z&until=2026-10-20T04:00:00Z', [3, 2, 1]],
    ['a span that ends before it begins', 'since=2026-10-20T04:00:00Z&until=2026-10-20T01:00:00Z', []],
    ['a time zone of its own', 'since=2026-10-20T05:30:00%2B02:00', [4]],
  ])('returns those of %s', async (_what, query, numbers) => {
    expect(numbersOf(kind, await list(kind, query))).toEqual(numbers);
  });

  it('pages through a span', async () => {
    const span = `until=${hour(4).toISOString()}&since=${hour(1).toISOString()}&size=2`;
    const first = await list(kind, span);
    const second = await list(kind, `${span}&cursor=${first.nextCursor}`);
    expect([first, second].map((page) => numbersOf(kind, page))).toEqual([[3, 2], [1]]);
    expect(second.nextCursor).toBeNull();
  });

  it.each(['yesterday', '2026-13-01T00:00:00Z', '1'])('refuses since=%s', async (since) => {
    const { status, body } = await app.api.get<{ detail: { loc: string[] }[] }>(`/api/v1/${kind}?since=${since}`, {
      token: acme.viewer.token,
    });
    expect([status, body.detail[0]?.loc]).toEqual([422, ['query', 'since']]);
  });

  it('counts the whole list on request, whatever the page', async () => {
    expect(await list(kind, 'size=1&total=true')).toMatchObject({ totalCount: 5, data: [{}] });
    expect(await list(kind, `total=true&since=${hour(1).toISOString()}&until=${hour(3).toISOString()}`)).toMatchObject({
      totalCount: 2,
    });
    expect(await list(kind, 'size=1')).not.toHaveProperty('totalCount');
  });
});

describe('GET /api/v1/events by time and more', () => {
  it.each([
    ['levels=ERROR', [4, 2]],
    ['levels=ERROR,INFO&stages=EXECUTION', [4, 3, 2, 1]],
    ['search=Event', [4, 3, 2, 1]],
    ['profileIds=PROFILE', [4, 3, 2, 1]],
    ['scanIds=SCAN&levels=INFO', [3, 1]],
  ])('narrows %s too', async (filter, numbers) => {
    const query = filter.replace('PROFILE', profileId).replace('SCAN', made.scans[0]!);
    const page = await list('events', `${query}&total=true&since=${hour(1).toISOString()}`);
    expect([numbersOf('events', page), page.totalCount]).toEqual([numbers, numbers.length]);
  });

  it('begins at the end of the span, without reading newer events', async () => {
    const { body } = await app.api.get<Listed>(`/api/v1/events?levels=ERROR&until=${hour(3).toISOString()}`, {
      token: acme.viewer.token,
    });
    expect(numbersOf('events', body)).toEqual([2, 0]);
    expect(leastUuidAt(hour(3)) < made.events[3]! && leastUuidAt(hour(3)) > made.events[2]!).toBe(true);
  });
});

describe('GET /api/v1/ids', () => {
  const lookUp = (query: string, token = acme.viewer.token) =>
    app.api.get<IdCandidates>(`/api/v1/ids?${query}`, { token });

  it.each([
    ['EVENT', () => made.events[2]!, 'Event 2'],
    ['ISSUE', () => made.issues[2]!, 'Issue 2'],
    ['SCAN', () => made.scans[2]!, 'FRONTEND_DAST'],
  ])('finds the %s by the beginning of its id, in any case', async (kind, id, name) => {
    const { status, body } = await lookUp(`kind=${kind}&prefix=${id().slice(0, 8).toUpperCase()}`);
    const createdAt = hour(2).toISOString();
    expect([status, body]).toEqual([200, { data: [{ id: id(), name, createdAt }], more: false }]);
  });

  it.each([8, 9, 12, 14, 17, 19, 22, 24, 35, 36])('accepts %d characters', async (length) => {
    const [id] = made.events;
    const { body } = await lookUp(`kind=EVENT&prefix=${id!.slice(0, length)}`);
    expect(body.data.map((candidate) => candidate.id)).toEqual([id]);
  });

  it.each(['0199a00', '0199a001x', '0199a001-12345', '0199a001-1234-1234-1234-1234567890123', '%25199a001', ''])(
    'refuses "%s"',
    async (prefix) => {
      expect((await lookUp(`kind=EVENT&prefix=${prefix}`)).status).toBe(422);
    },
  );

  it('returns ten candidates of many, and says that there are more', async () => {
    for (let number = 0; number < 11; number++) await things.profile({ id: uuidV7At(hour(9), number) });
    const { body } = await lookUp(`kind=PROFILE&prefix=${leastUuidAt(hour(9)).slice(0, 8)}`);
    expect([body.data.length, body.more]).toEqual([10, true]);
    const one = await lookUp(`kind=PROFILE&prefix=${uuidV7At(hour(9), 0).slice(0, 23)}`);
    expect([one.body.data.length, one.body.more]).toEqual([1, false]);
  });

  it('finds nothing of other organizations or other kinds', async () => {
    const stranger = await insertOrganization(app);
    const prefix = made.issues[0]!;
    expect((await lookUp(`kind=ISSUE&prefix=${prefix}`, stranger.admin.token)).body).toEqual({ data: [], more: false });
    expect((await lookUp(`kind=EVENT&prefix=${prefix}`)).body.data).toEqual([]);
  });

  it('shows API keys only to admins', async () => {
    await acme.key('viewer');
    const [row] = await app.database.rows<{ id: string }>('SELECT id FROM api_keys WHERE organization_id = $1', [
      acme.id,
    ]);
    const query = `kind=API_KEY&prefix=${row!.id.slice(0, 20)}`;
    expect((await lookUp(query)).body).toMatchObject({ code: 'role_too_low' });
    expect((await lookUp(query, acme.admin.token)).body.data.map(({ id }) => id)).toEqual([row!.id]);
  });
});

describe('The version of the service', () => {
  it('is sent to clients that send theirs', async () => {
    const path = '/api/v1/organizations/current';
    const told = await app.api.get(path, { token: acme.viewer.token, headers: { 'x-client-version': '0.9.0' } });
    const untold = await app.api.get(path, { token: acme.viewer.token });
    expect([told, untold].map(({ headers }) => headers.get('x-service-version'))).toEqual(['1.0.0', null]);
  });
});
