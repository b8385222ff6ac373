import { describe, expect, it, jest } from '@jest/globals';
import { ChangeBus } from '../../../src/common/changes/change-bus.js';
import type { BeforeAnswers } from '../../../src/common/http/before-answers.js';
import { Metrics } from '../../../src/common/http/metrics.js';
import { loadSettings } from '../../../src/config/settings.js';
import type { Changes } from '../../../src/database/changes.js';
import { DatabaseAddress } from '../../../src/connections/database-address.js';
import { ReplicaReads } from '../../../src/replicas/replica-reads.js';
import type { UnitOfWork } from '../../../src/database/unit-of-work.js';

describe('ReplicaReads without DATABASE_REPLICA_URLS', () => {
  it('reads at the primary, queries no positions, and ignores writes', async () => {
    const onEnd = jest.fn();
    const metrics = new Metrics();
    const unitOfWork = { client: undefined, onEnd } as unknown as UnitOfWork;
    const address = new DatabaseAddress(
      'postgres://nobody@127.0.0.1:1/none',
      'postgres://nobody@127.0.0.1:1/none',
      true,
    );
    const answers = { add: onEnd } as unknown as BeforeAnswers;
    const reads = new ReplicaReads(
      loadSettings({}),
      address,
      unitOfWork,
      {} as Changes,
      new ChangeBus(),
      answers,
      metrics,
    );
    reads.onApplicationBootstrap();
    const atPrimary = () => Promise.resolve([{ one: 1 }]);
    expect(await reads.rows({ key: 'a', kind: 'list', sql: '', values: [], atPrimary })).toEqual([{ one: 1 }]);
    expect(onEnd).not.toHaveBeenCalled();
    expect(await metrics.registry.metrics()).not.toContain('database_replica');
    await reads.onModuleDestroy();
    metrics.onModuleDestroy();
  });
});

describe('DATABASE_REPLICA_URLS', () => {
  const url = 'postgres://store:secret@10.0.0.5/store';
  const replicas = 'postgres://store:secret@10.0.0.6/store, postgres://store:secret@10.0.0.7/store';
  const problemOf = (environment: Record<string, string>) => {
    try {
      return loadSettings(environment).databaseReplicaUrls;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('are URLs of other servers of the database, without repetition', () => {
    expect(problemOf({ DATABASE_URL: url, DATABASE_REPLICA_URLS: replicas })).toHaveLength(2);
    expect(problemOf({ DATABASE_REPLICA_URLS: replicas })).toContain('set DATABASE_URL to it');
    for (const wrong of ['10.0.0.6', `${url},`, `${url},${url}`, Array.from({ length: 9 }, (_, n) => url + n).join()]) {
      const said = problemOf({ DATABASE_URL: url, DATABASE_REPLICA_URLS: wrong });
      expect(said).toContain('DATABASE_REPLICA_URLS cannot be used: it takes up to 8 URLs');
      expect(said).not.toContain('secret@10.0.0.5');
    }
  });
});
