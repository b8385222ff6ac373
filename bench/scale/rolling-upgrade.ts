import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import type { Arena } from '../arena.js';
import { settleMs, underLoad } from './shop-cluster.js';

/** The folder of an earlier release, built. */
const setting = 'EARLIER_RELEASE';
const advice = `set ${setting} to the folder of an earlier release that is installed and built, such as a worktree of its tag`;

/** Takes back what the earlier release does not know of. */
async function takeBack(databaseUrl: string, release: string): Promise<number> {
  const files = await readdir(join(release, 'dist/src/database/migrations'));
  const known = new Set(files.map((file) => Number(/^\d+/.exec(file)?.[0])));
  const dataSource = new DataSource(dataSourceOptions({ url: databaseUrl, poolSize: 1, statementTimeoutMs: 0 }));
  await dataSource.initialize();
  try {
    const newer = async () => {
      const [{ timestamp } = { timestamp: 0 }] = await dataSource.query<{ timestamp: string }[]>(
        'SELECT timestamp FROM migrations ORDER BY id DESC LIMIT 1',
      );
      return !known.has(Number(timestamp));
    };
    let taken = 0;
    for (; await newer(); taken++) await dataSource.undoLastMigration();
    return taken;
  } finally {
    await dataSource.destroy();
  }
}

/** Three nodes of an earlier release are replaced, one after the other, by this one, which migrates. */
export async function rollingUpgrade(arena: Arena): Promise<string[]> {
  const release = process.env[setting];
  if (release === undefined) return [`left out: ${advice}`];
  await arena.database('shop');
  const taken = await takeBack(arena.urlOf('shop'), release);
  const lines = await underLoad(arena, { nodes: 3, release }, async (nodes) => {
    for (const node of nodes) {
      await node.stop();
      await node.start();
      await sleep(settleMs);
    }
  });
  return [`${taken} migrations between the two releases`, ...lines];
}
