import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Account, signUp } from '../../support/accounts.js';
import { Deferred } from '../../support/deferred.js';
import { insertProduct } from '../../support/goods.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { until } from '../../support/receiver.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let acme: InsertedOrganization;
let other: InsertedOrganization;
let maria: Account;
beforeAll(async () => {
  app = await startTestApp({ env: { RESPONSE_CACHE_MB: '0', SEARCH_SECONDS: '10' } });
  acme = await insertOrganization(app);
  other = await insertOrganization(app);
  maria = await signUp(app);
  await insertProduct(app);
});
afterAll(() => app.close());

function search(query: string, { viewer }: InsertedOrganization = acme) {
  return app.api.get(`/api/v1/events?${query}`, { token: viewer.token });
}

/** Blocks every search until it is committed. */
function slowEvents(): Promise<HeldTransaction> {
  return HeldTransaction.open(app.database, 'LOCK TABLE scan_events IN ACCESS EXCLUSIVE MODE');
}

describe.each(['events', 'events/arrivals', 'assets'])('GET /api/v1/%s with a search', (path) => {
  it.each(['z', 'z1', '%20%20', '%F0%9F%98%80z'])(
    'responds with 422 to %s, which is too short for the index',
    async (text) => {
      const answer = await app.api.get(`/api/v1/${path}?search=${text}`, { token: acme.viewer.token });
      expect(answer).toMatchObject({
        status: 422,
        body: {
          detail: [
            {
              loc: ['query', 'search'],
              type: 'string_too_short',
              msg: 'String should have at least 3 characters',
              ctx: { min_length: 3 },
            },
          ],
        },
      });
    },
  );

  it.each(['', 'z1x', '100%25', '%F0%9F%98%80z1'])('takes "%s"', async (text) => {
    const { status } = await app.api.get(`/api/v1/${path}?search=${text}`, { token: acme.viewer.token });
    expect(status).toBe(200);
  });
});

describe('GET /api/v1/events, sixty searches at once', () => {
  it('leave logins, the catalogue and other organizations alone, and get 429 when they would wait too long', async () => {
    const held = await slowEvents();
    const refused: number[] = [];
    const flood = Array.from({ length: 60 }, async (_, index) => {
      const answer = await search(`search=z1x${index}`);
      if (answer.status === 429) refused.push(index);
      return answer;
    });
    await held.blocks(2);
    const theirs = search('search=theirs', other);
    await held.blocks(3);

    const { username, password } = maria;
    const beside = await Promise.all([
      ...Array.from({ length: 20 }, () => app.api.get('/api/v1/products/')),
      ...Array.from({ length: 5 }, () => app.api.post('/api/v1/auth/login', { json: { username, password } })),
      ...Array.from({ length: 5 }, () => app.api.get('/api/v1/scans', { token: acme.viewer.token })),
    ]);
    expect(beside.map(({ status }) => status)).toEqual(Array(30).fill(200));
    expect(refused).toHaveLength(60 - 2 - 32);

    await held.commit();
    const answers = await Promise.all([...flood, theirs]);
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 429]));
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const told = answers.find(({ status }) => status === 429);
    expect(told?.body).toMatchObject({
      code: 'rate_exceeded',
      detail: expect.stringContaining('The limit of 2 searches of one organization at once'),
    });
    expect(told?.headers.get('retry-after')).toBe('5');
    expect(told?.headers.get('ratelimit-policy')).toBe('"searches";q=2');
  });

  it('get 503 when only other organizations are searching', async () => {
    const crowd = await Promise.all(Array.from({ length: 7 }, () => insertOrganization(app)));
    const held = await slowEvents();
    const running = [acme, other].flatMap((organization) =>
      ['z1x', 'z2x'].map((q) => search(`search=${q}`, organization)),
    );
    await held.blocks(4);
    const refused = new Deferred<void>();
    const waiting = crowd.flatMap((organization) =>
      Array.from({ length: 30 }, async (_, n) => {
        const answer = await search(`search=z1x${n}`, organization);
        if (answer.status !== 200) refused.resolve();
        return answer;
      }),
    );
    await refused.promise;
    await held.commit();
    const answers = await Promise.all(waiting);
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const told = answers.filter(({ status }) => status !== 200);
    expect(new Set(told.map(({ status }) => status))).toEqual(new Set([503]));
    expect(told[0]?.body).toMatchObject({ code: 'busy' });
    expect(told[0]?.headers.get('retry-after')).toBe('5');
  });

  it('responds with 422 to a search that takes too long, and serves the next one', async () => {
    const held = await slowEvents();
    const tooLong = await search('search=needle');
    expect(tooLong).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query'], type: 'search_too_broad', msg: expect.stringContaining('narrow it') }] },
    });
    await held.commit();
    expect((await search('search=needle')).status).toBe(200);
  });

  it('stop when their callers hang up, and take the place of nobody', async () => {
    const held = await slowEvents();
    const hangUp = new AbortController();
    const options = { headers: { authorization: `Bearer ${acme.viewer.token}` }, signal: hangUp.signal };
    const abandoned = Array.from({ length: 34 }, (_, n) =>
      fetch(`${app.baseUrl}/api/v1/events?search=left${n}`, options).catch(() => undefined),
    );
    await held.blocks(2);
    hangUp.abort();
    await Promise.all(abandoned);
    await until(async () => {
      const left = await app.database.rows(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return left.length === 0;
    }, 'the end of what nobody waits for');
    await sleep(600); // their two places stay taken until PostgreSQL must have noticed
    const wanted = Array.from({ length: 34 }, (_, n) => search(`search=mine${n}`));
    await held.blocks(2);
    await held.commit();
    expect(new Set((await Promise.all(wanted)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('are never more at once, however often callers begin and hang up', async () => {
    const held = await slowEvents();
    const waiting = async () => {
      const rows = await app.database.rows(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length;
    };
    let most = 0;
    const rounds = 25;
    for (let round = 1; round <= rounds; round++) {
      const hangUp = new AbortController();
      const options = { headers: { authorization: `Bearer ${acme.viewer.token}` }, signal: hangUp.signal };
      const abandoned = Array.from({ length: 4 }, (_, n) =>
        fetch(`${app.baseUrl}/api/v1/events?search=again${round}x${n}`, options).catch(() => undefined),
      );
      await (round < rounds ? sleep(30) : held.blocks(2)); // the last ones stay until their searches run
      most = Math.max(most, await waiting());
      hangUp.abort();
      await Promise.all(abandoned);
    }
    await held.commit();
    expect(most).toBe(2);
  });
});
