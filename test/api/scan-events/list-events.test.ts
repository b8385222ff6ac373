import { beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { attachments, EventCalls, newEvent } from '../../support/events.js';
import { finding, IssueCalls } from '../../support/issues.js';

const path = '/api/v1/events';
import { eventScene } from './event-scene.js';
const day = 86_400_000;
const scene = eventScene();

const ago = (days: number) => new Date(Date.now() - days * day).toISOString();

describe('GET /api/v1/events, filtered', () => {
  /** Every event differs from the first in one filter. */
  const things = {
    search: { description: 'Found 100%_sure \\ here' },
    profileIds: {},
    scanIds: {},
    assetIds: {},
    issueIds: {},
    stages: { stage: 'AGENT_REASONING' },
    levels: { level: 'ERROR' },
    hasAttachments: { attachments: [attachments.EXCHANGE] },
    attachments: { attachments: [attachments.SNIPPET, attachments.SCREENSHOT] },
  };
  const values: Record<string, string> = {
    search: encodeURIComponent('100%_SURE \\ H'),
    stages: 'AGENT_REASONING',
    levels: 'ERROR',
    hasAttachments: 'true',
    attachments: 'SNIPPET',
  };
  const query = (...names: string[]) => names.map((name) => `${name}=${values[name]}`).join('&');

  beforeAll(async () => {
    const [asset, scan, otherScan] = [await scene.acme.asset(), await scene.acme.scan(), await scene.acme.scan()];
    const issueId = await new IssueCalls(scene.app, scene.acme.token).one(scan.id, finding(asset.id));
    const applicationId = scan.applicationId;
    const sameProfile = await scene.acme.scan({ applicationId });
    Object.assign(values, { profileIds: applicationId, scanIds: scan.id, assetIds: asset.id, issueIds: issueId });
    const linked = { assetIds: { assetIds: [asset.id] }, issueIds: { issueIds: [uuidV7(), issueId].slice(1) } };
    const alone = { ...things, ...linked };
    await scene.events.appended(otherScan.id, newEvent({ title: 'plain' }));
    await scene.events.appended(scan.id, newEvent({ title: 'scanIds' }));
    await scene.events.appended(sameProfile.id, newEvent({ title: 'profileIds' }));
    for (const name of [
      'search',
      'assetIds',
      'issueIds',
      'stages',
      'levels',
      'hasAttachments',
      'attachments',
    ] as const) {
      await scene.events.appended(otherScan.id, newEvent({ title: name, createdAt: ago(40), ...alone[name] }));
    }
    const whole = Object.assign({}, ...Object.values(alone), { attachments: Object.values(attachments) }) as object;
    await scene.events.appended(scan.id, newEvent({ ...whole, title: 'all', createdAt: ago(100) }));
  });

  it.each([
    ['search', ['search']],
    ['profileIds', ['profileIds', 'scanIds']],
    ['scanIds', ['scanIds']],
    ['assetIds', ['assetIds']],
    ['issueIds', ['issueIds']],
    ['stages', ['stages']],
    ['levels', ['levels']],
    ['hasAttachments', ['attachments', 'hasAttachments']],
    ['attachments', ['attachments']],
  ])('narrows by %s alone', async (name, expected) => {
    expect(await scene.events.titles(query(name))).toEqual([...expected, 'all']);
  });

  const names = Object.keys(things);
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((two) => [one, two] as const));
  it.each(pairs)('narrows by %s and %s together', async (one, two) => {
    const both = new Set(
      [await scene.events.titles(query(one)), await scene.events.titles(query(two))].reduce((a, b) =>
        a.filter((x) => b.includes(x)),
      ),
    );
    const found = await scene.events.titles(query(one, two));
    expect(found).toContain('all');
    expect(new Set(found)).toEqual(both);
  });

  it('applies all filters together, and finds nothing when one does not match', async () => {
    expect(await scene.events.titles(query(...names))).toEqual(['all']);
    const wrong = {
      search: 'nothing',
      profileIds: uuidV7(),
      scanIds: uuidV7(),
      assetIds: uuidV7(),
      issueIds: uuidV7(),
      stages: 'CONFIGURATION',
      levels: 'DEBUG',
      hasAttachments: 'false',
    };
    for (const [name, value] of Object.entries(wrong)) {
      expect(await scene.events.titles(`${query(...names.filter((one) => one !== name))}&${name}=${value}`)).toEqual(
        [],
      );
    }
  });

  it('accepts comma-separated and repeated values, and matches any of them', async () => {
    expect(await scene.events.titles('levels=ERROR,WARNING&levels=DEBUG')).toEqual(['levels', 'all']);
    expect(await scene.events.titles(`stages=AGENT_REASONING,AGENT_ACTION&levels=ERROR&levels=INFO`)).toEqual([
      'stages',
      'all',
    ]);
    expect(await scene.events.titles('levels=ERROR,WARNING,INFO,DEBUG')).toHaveLength(11);
    expect(await scene.events.titles('attachments=SCREENSHOT,EXCHANGE')).toEqual([
      'attachments',
      'hasAttachments',
      'all',
    ]);
    expect(await scene.events.titles(`scanIds=${values['scanIds']},${values['scanIds']}&scanIds=${uuidV7()}`)).toEqual([
      'scanIds',
      'all',
    ]);
    expect(await scene.events.titles('levels=&search=&scanIds=')).toHaveLength(11);
  });

  it('finds events without attachments', async () => {
    const titles = await scene.events.titles('hasAttachments=false');
    expect(titles).toHaveLength(8);
    expect(titles).not.toContain('all');
  });

  it.each([
    ['a title', 'SCREENSHOT of', 0],
    ['a request url', 'shop.EXAMPLE.com/login', 2],
    ['a header', 'set-cookie', 2],
    ['a body', 'whoops: traceback', 2],
    ['a snippet', 'select "a\\b" from', 2],
    ['the text of a screenshot', 'the login page', 2],
    ['the words of JSON, which are no text', 'durationMs', 0],
    ['LIKE wildcards, taken literally', '100_sure', 0],
    ['the end of one field and the start of the next', 'plain At', 0],
  ])('searches through %s', async (_, text, count) => {
    expect(await scene.events.titles(`search=${encodeURIComponent(text)}`)).toHaveLength(count);
  });

  it.each(['levels=FATAL', 'stages=X', 'attachments=FILE', 'scanIds=x', 'hasAttachments=maybe', 'size=0', 'cursor=!'])(
    'responds with 422 for %s',
    async (wrong) => {
      expect((await scene.app.api.get(`${path}?${wrong}`, { token: scene.acme.token })).status).toBe(422);
    },
  );

  it('shows nothing to another organization, whatever the filters', async () => {
    const theirs = new EventCalls(scene.app, scene.other.token);
    for (const name of names) expect(await theirs.titles(query(name))).toEqual([]);
    const [event] = (await scene.events.list(query('scanIds'))).data;
    expect((await theirs.get(event?.id ?? '')).status).toBe(404);
    const start = await theirs.arrivals('');
    await scene.events.appended(
      values['scanIds'] ?? '',
      newEvent({ title: 'levels', level: 'ERROR', createdAt: ago(41) }),
    );
    expect((await theirs.arrivals(`after=${start.nextCursor}`)).data).toEqual([]);
  });
});

describe('GET /api/v1/events, page by page', () => {
  const filters = (scanId: string, assetId: string) => ({
    nothing: '',
    scan: `scanIds=${scanId}`,
    levels: 'levels=INFO,DEBUG',
    asset: `assetIds=${assetId}`,
    search: 'search=paged',
  });

  it.each(['nothing', 'scan', 'levels', 'asset', 'search'] as const)(
    'lists each event once, newest first, while others arrive (by %s)',
    async (by) => {
      const asset = await scene.acme.asset();
      const scan = await scene.acme.scan({ assetIds: [asset.id] });
      const mine = (count: number, fields: object = {}) =>
        Array.from({ length: count }, (_, at) =>
          newEvent({ title: `paged ${at}`, createdAt: ago(1 + (at % 3)), ...fields }),
        );
      await scene.events.appended(scan.id, ...mine(30), ...mine(10, { level: 'DEBUG', createdAt: ago(200) }));
      const asked = filters(scan.id, asset.id)[by];
      const before = (await scene.events.all(`${asked}&size=100`)).map(({ id }) => id);
      const seen = await scene.events.all(`${asked}&size=7`, () =>
        scene.events.appended(
          scan.id,
          newEvent({ title: `paged later ${by}` }),
          newEvent({ title: 'paged back', createdAt: ago(150) }),
        ),
      );
      const ids = seen.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => before.includes(id))).toEqual(before);
      const places = seen.map(({ createdAt, id }) => `${String(createdAt)} ${id}`);
      expect(places).toEqual([...places].sort().reverse());
      expect(seen.some(({ title }) => title === 'paged back')).toBe(true);
      expect(seen.some(({ title }) => title === `paged later ${by}`)).toBe(false);
    },
  );

  it('lists events of several assets once, whatever the position of the asset', async () => {
    const assets = [await scene.acme.asset(), await scene.acme.asset(), await scene.acme.asset()].map(({ id }) => id);
    const [a = '', b = '', c = ''] = assets;
    const scan = await scene.acme.scan();
    const of = [[a], [b], [a, b], [b, a], [c, a], [c], [a, b, c], [c, b, a], [], [b, c]];
    const made = Array.from({ length: 60 }, (_, at) => ({ assetIds: of[at % of.length] ?? [], at }));
    await scene.events.appended(
      scan.id,
      ...made.map(({ assetIds, at }) => newEvent({ title: `${at}`, assetIds, createdAt: ago(1 + at) })),
    );
    for (const asked of [[a], [b], [a, b], [c, a], [b, c, a], [a, a]]) {
      const expected = made.filter(({ assetIds }) => assetIds.some((id) => asked.includes(id)));
      const query = `assetIds=${asked.join(',')}`;
      const listed = await scene.events.all(`${query}&size=7`);
      expect(listed.map(({ title }) => title)).toEqual(expected.map(({ at }) => `${at}`));
      // In combination with another filter they are found another way.
      expect(await scene.events.titles(`${query}&levels=INFO&size=100`)).toEqual(listed.map(({ title }) => title));
    }
  });

  it('returns fewer events a page when they are large, and all of them in the end', async () => {
    const scan = await scene.acme.scan();
    const content = 'x'.repeat(480_000);
    const large = { attachments: [1, 2].map(() => ({ type: 'SNIPPET', snippet: { content } })) };
    for (let count = 0; count < 3; count++) {
      await scene.events.appended(
        scan.id,
        ...Array.from({ length: 8 }, (_, at) => newEvent({ title: `${count * 8 + at}`, ...large })),
      );
    }
    const first = await scene.events.list(`scanIds=${scan.id}&size=100`);
    expect(first.data.length).toBeLessThan(24);
    expect(first.nextCursor).not.toBeNull();
    const all = await scene.events.all(`scanIds=${scan.id}&size=100`);
    expect(all.map(({ title }) => title)).toEqual(Array.from({ length: 24 }, (_, at) => String(23 - at)));
  });
});

describe('GET /api/v1/events/{id}', () => {
  it('responds with 404 for an unknown id of any version, and 422 for anything else', async () => {
    for (const id of [uuidV7(), '0b6c9a36-93b1-4f1c-9bb9-0e6f2a2f8a11', 'ffffffff-ffff-7fff-bfff-ffffffffffff']) {
      expect((await scene.events.get(id)).status).toBe(404);
    }
    expect((await scene.events.get('x')).status).toBe(422);
  });

  it.each(['DELETE', 'PUT', 'PATCH'])('responds with 405 to %s and lists the allowed methods', async (method) => {
    const { status, headers } = await scene.app.api.send(method, `${path}/${uuidV7()}`, { token: scene.acme.token });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
