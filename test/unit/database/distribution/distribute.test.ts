import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { distribute } from '../../../../src/database/distribution/distribute.js';
import type { Cluster, DistributionRepository } from '../../../../src/database/distribution/distribution.repository.js';
import { spreadScans } from '../../../../src/database/distribution/spread-scans.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

const whole: Cluster = {
  version: 13,
  isCoordinator: true,
  knowsCoordinator: true,
  shardServers: 2,
  prepared: 100,
  walLevel: 'logical',
  isMigrated: true,
};

/** The refusal, or the report, for a cluster that has some events and no distributed tables. */
async function answerIn(cluster: Partial<Cluster>): Promise<string[]> {
  const said: string[] = [];
  const repository = {
    cluster: () => Promise.resolve({ ...whole, ...cluster }),
    knownToCitus: () => Promise.resolve([]),
    hasRows: () => Promise.resolve(true),
    bytesOf: () => Promise.resolve(3_000_000),
  } as unknown as DistributionRepository;
  await spreadScans({ repository, watch: repository, shards: 64, isDry: true, log: (line) => said.push(line) }).catch(
    (error: unknown) => said.push((error as Error).message),
  );
  return said;
}

describe('npm run distribute', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('requires DATABASE_URL', async () => {
    await expect(distribute({}, [])).rejects.toThrow(/^Set DATABASE_URL to the coordinator of your Citus cluster/);
  });

  it('reports a database that cannot be reached, or its refusal', async () => {
    const nobody = 'postgres://store@127.0.0.1:1/store';
    await expect(distribute({ DATABASE_URL: nobody }, [])).rejects.toThrow(
      /^The database cannot be reached: .*ECONNREFUSED/,
    );
    const unknown = database.url.replace(/[^/]*$/, 'of_nobody');
    await expect(distribute({ DATABASE_URL: unknown }, [])).rejects.toThrow(/"of_nobody" does not exist/);
  });

  it.each(['0', '-1', '1.5', 'many', '1025', undefined])('refuses %s shards', async (shards) => {
    const given = shards === undefined ? ['--shards'] : ['--shards', shards];
    await expect(distribute({ DATABASE_URL: database.url }, given)).rejects.toThrow(/a whole number from 1 to 1024$/);
  });

  it('changes nothing in a database without Citus', async () => {
    const before = await database.rows('SELECT md5(string_agg(prosrc, $1 ORDER BY proname)) FROM pg_proc', [',']);
    await expect(distribute({ DATABASE_URL: database.url }, [])).rejects.toThrow(
      /^The database has no Citus: run CREATE/,
    );
    expect(await database.rows('SELECT md5(string_agg(prosrc, $1 ORDER BY proname)) FROM pg_proc', [','])).toEqual(
      before,
    );
  });

  it.each<[Partial<Cluster>, RegExp]>([
    [{ version: 11 }, /^The database has Citus 11: upgrade it to 12/],
    [{ isCoordinator: false }, /^DATABASE_URL leads to a worker of Citus/],
    [{ knowsCoordinator: false }, /citus_set_coordinator_host/],
    [{ shardServers: 0 }, /citus_add_node/],
    [{ prepared: 0 }, /max_prepared_transactions/],
    [{ isMigrated: false }, /start the service once, which creates the schema/],
    [{ walLevel: 'replica' }, /^To distribute scan_events while nodes run, set wal_level = logical/],
  ])('says what to do when the cluster is %j', async (cluster, sentence) => {
    const [said, ...more] = await answerIn(cluster);
    expect([said, more]).toEqual([expect.stringMatching(sentence), []]);
  });

  it('says with --dry-run what it would distribute', async () => {
    const said = await answerIn({});
    expect(said.length).toBe(5);
    expect(said[0]).toBe('scan_events: 3 MB would be distributed over 2 servers, in 64 shards');
  });
});
