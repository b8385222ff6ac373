import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Pool, type QueryResult } from 'pg';
import { isDatabaseAway } from '../../../../src/platform/errors/database-errors.js';
import { loadSettings } from '../../../../src/config/settings.js';
import { DatabaseAddress } from '../../../../src/database/connections/database-address.js';
import { GroupCommit } from '../../../../src/database/connections/group-commit.js';
import type { SharedWrite } from '../../../../src/database/connections/write-pipeline.js';
import { HeldTransaction } from '../../../support/held-transaction.js';
import { startTcpProxy, type TcpProxy } from '../../../support/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

const settings = loadSettings({ DATABASE_POOL_SIZE: '6' });

let database: TestDatabase;
let proxy: TcpProxy;
let url: string;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.rows('CREATE TABLE written (owner text PRIMARY KEY, times integer, xact xid8)');
  await database.rows('CREATE TABLE locked (owners text[], further text[])');
  const address = new URL(database.url);
  proxy = await startTcpProxy(Number(address.port));
  address.port = String(proxy.port);
  url = address.href;
  pool = new Pool({ connectionString: database.url });
});
afterAll(async () => {
  await pool.end();
  await proxy.cut();
  await database.drop();
});
beforeEach(() => database.rows('TRUNCATE written, locked'));

const written = {
  name: 'write',
  text: `INSERT INTO written VALUES ($1, 60 / $2::integer, pg_current_xact_id())
         ON CONFLICT (owner) DO UPDATE SET times = written.times + 1, xact = excluded.xact
         RETURNING owner`,
};
const locks = { name: 'lock', text: 'INSERT INTO locked VALUES ($1, $2)' };
const locksOfOthers = { name: 'lock-others', text: 'INSERT INTO locked VALUES ($1, $2)' };

const writeOf = (owner: string, divisor = 1): SharedWrite => ({
  statement: { ...written, values: [owner, divisor] },
  owner,
});

/** Runs writes at once; what runs alone does so past the proxy. */
class Writers {
  readonly alone: string[] = [];

  constructor(private readonly group: GroupCommit) {}

  async run(write: SharedWrite): Promise<unknown> {
    const alone = (): Promise<QueryResult> => {
      this.alone.push(write.owner);
      return pool.query(write.statement);
    };
    return (await this.group.write(write, alone)).rows[0]?.['owner'];
  }

  all(writes: SharedWrite[]): Promise<unknown[]> {
    return Promise.all(writes.map((write) => this.run(write)));
  }

  /** Opens the common connections: until they are open, all run alone. */
  async warmUp(): Promise<void> {
    for (let round = 0; round === 0 || this.alone.length > 1; round++) {
      this.alone.length = 0;
      await this.all(['warm', 'as', 'toast', String(round)].map((owner) => writeOf(owner)));
    }
    this.alone.length = 0;
    await database.rows('TRUNCATE written, locked');
  }
}

async function withWriters(
  work: (writers: Writers) => Promise<void>,
  address = new DatabaseAddress(url, url, true),
): Promise<void> {
  const group = new GroupCommit(address, settings);
  try {
    await work(new Writers(group));
  } finally {
    await group.onModuleDestroy();
  }
}

const names = (count: number) => Array.from({ length: count }, (_, n) => `owner ${String(n).padStart(3, '0')}`);
const connections = `SELECT FROM pg_stat_activity WHERE application_name = 'store-service writes' AND datname = current_database()`;

async function transactions(): Promise<string[][]> {
  const rows = await database.rows<{ owners: string[] }>(
    'SELECT array_agg(owner ORDER BY owner) AS owners FROM written GROUP BY xact ORDER BY min(owner)',
  );
  return rows.map(({ owners }) => owners);
}

describe('Writes of simultaneous requests', () => {
  it('run alone one after another, on no further connection', async () => {
    await withWriters(async (writers) => {
      for (const owner of names(3)) expect(await writers.run(writeOf(owner))).toBe(owner);
      expect(writers.alone).toEqual(names(3));
      expect(await database.rows(connections)).toHaveLength(0);
    });
  });

  it('are committed together, in the order of their owners, and each gets its own rows', async () => {
    await withWriters(async (writers) => {
      await writers.warmUp();
      const owners = names(15);
      expect(await writers.all(owners.toReversed().map((owner) => writeOf(owner)))).toEqual(owners.toReversed());
      expect(writers.alone).toEqual(['owner 014']);
      expect(await transactions()).toEqual([owners.slice(0, -1), ['owner 014']]);
    });
  });

  it('become several transactions where they are many', async () => {
    await withWriters(async (writers) => {
      await writers.warmUp();
      expect(await writers.all(names(60).map((owner) => writeOf(owner)))).toEqual(names(60));
      const sizes = (await transactions()).map(({ length }) => length);
      expect(sizes.toSorted((one, other) => one - other)).toEqual([1, 11, 16, 16, 16]);
      expect((await database.rows(connections)).length).toBeLessThanOrEqual(2);
    });
  });

  it('have their rows locked ahead, in one order', async () => {
    await withWriters(async (writers) => {
      await writers.warmUp();
      const [first = '', ...owners] = names(5);
      const kinds = [undefined, locks, locksOfOthers, locks];
      const writes = owners.map((owner, n) => ({ ...writeOf(owner), locks: kinds[n] }));
      await writers.all([writeOf(first), ...writes.toReversed()]);
      const [one = '', two = '', three = '', four = ''] = owners;
      expect(await database.rows('SELECT * FROM locked ORDER BY further')).toEqual([
        { owners: [one, two, three, four], further: [two, four] },
        { owners: [one, two, three, four], further: [three] },
      ]);
    });
  });

  it('fail without affecting the others', async () => {
    await withWriters(async (writers) => {
      await writers.warmUp();
      const [first = '', second = '', third = '', bad = ''] = names(4);
      const answers = [first, second, third].map((owner) => writers.run(writeOf(owner)));
      const refused = writers.run(writeOf(bad, 0));
      await expect(refused).rejects.toThrow('division by zero');
      expect(await Promise.all(answers)).toEqual([first, second, third]);
      expect(await transactions()).toEqual([[first], [second], [third]]);
      await writers.all(names(9).map((owner) => writeOf(owner)));
      expect(await transactions()).toEqual([[first], names(9).slice(1)]);
    });
  });

  it('do not wait for the lock that one of them waits for', async () => {
    await withWriters(async (writers) => {
      await writers.warmUp();
      const [first = '', second = '', third = '', blocked = ''] = names(4);
      await database.rows(`INSERT INTO written VALUES ($1, 1, pg_current_xact_id())`, [blocked]);
      const holder = await HeldTransaction.open(database, 'SELECT FROM written WHERE owner = $1 FOR UPDATE', [blocked]);
      const answers = [first, second, third].map((owner) => writers.run(writeOf(owner)));
      const waiting = writers.run(writeOf(blocked));
      expect(await Promise.all(answers)).toEqual([first, second, third]);
      await holder.commit();
      expect(await waiting).toBe(blocked);
      expect(await database.rows('SELECT times FROM written WHERE owner = $1', [blocked])).toEqual([{ times: 2 }]);
    });
  });
});

describe('The connection of common transactions', () => {
  it('is opened anew after it was lost; meanwhile writes run alone', async () => {
    await withWriters(async (writers) => {
      await writers.warmUp();
      await proxy.cut();
      await sleep(50);
      expect(await writers.all(names(4).map((owner) => writeOf(owner)))).toEqual(names(4));
      expect(writers.alone).toHaveLength(4);
      await proxy.mend();
      await writers.warmUp();
      await writers.all(names(4).map((owner) => writeOf(owner)));
      expect(writers.alone).toHaveLength(1);
    });
  });

  it('leaves unknown what was under way when it was lost, and nothing is written twice', async () => {
    await withWriters(async (writers) => {
      await writers.warmUp();
      const [first = '', ...owners] = names(5);
      proxy.silence(true);
      const alone = writers.run(writeOf(first));
      const lost = Promise.allSettled(owners.map((owner) => writers.run(writeOf(owner))));
      expect(await alone).toBe(first);
      await proxy.cut();
      proxy.silence(false);
      await proxy.mend();
      expect((await lost).map((outcome) => outcome.status === 'rejected' && isDatabaseAway(outcome.reason))).toEqual(
        owners.map(() => true),
      );
      expect(writers.alone).toEqual([first]);
    });
  });

  it('is not needed behind a pooler, where no statement is prepared, and after the end', async () => {
    const others = [new DatabaseAddress(url, url, false), new DatabaseAddress(url, database.url, true)];
    for (const address of others) {
      await withWriters(async (writers) => {
        for (let round = 0; round < 3; round++) await writers.all(names(3).map((owner) => writeOf(owner)));
        expect(writers.alone).toHaveLength(9);
      }, address);
    }
    const ended = new GroupCommit(new DatabaseAddress(url, url, true), settings);
    await ended.onModuleDestroy();
    const writers = new Writers(ended);
    expect(await writers.all(names(3).map((owner) => writeOf(owner)))).toEqual(names(3));
    expect(writers.alone).toHaveLength(3);
    expect(await database.rows(connections)).toHaveLength(0);
  });
});
