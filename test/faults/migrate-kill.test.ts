import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../support/receiver.js';
import { dumpSchema } from '../support/schema-dump.js';
import { expectFile } from '../support/snapshot-file.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = `const { migrate } = await import('./src/database/migrate.ts'); await migrate(process.env.DATABASE_URL);`;
const kills = 3;

/** Holds up the first tries, when each is about to be recorded. A sequence survives the rollback. */
const holdUp = `
  CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL);
  CREATE SCHEMA trial;
  CREATE SEQUENCE trial.tries MINVALUE 0 START 0;
  SELECT nextval('trial.tries');
  CREATE FUNCTION trial.hold_up() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF nextval('trial.tries') <= ${kills} THEN
      PERFORM pg_sleep(2);
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER hold_up BEFORE INSERT ON migrations FOR EACH ROW EXECUTE FUNCTION trial.hold_up();`;

let database: TestDatabase;
const processes: ChildProcess[] = [];
beforeEach(async () => {
  database = await createTestDatabase('template0');
  await database.rows(holdUp);
});
afterEach(async () => {
  for (const one of processes.splice(0)) one.kill('SIGKILL');
  await database.drop();
});

function startMigrating(): ChildProcess {
  const options = ['--import', './scripts/ts-loader.mjs', '--input-type=module', '-e', program];
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: database.url };
  const child = spawn(process.execPath, options, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  processes.push(child);
  return child;
}

async function tries(): Promise<number> {
  const [row] = await database.rows<{ tries: string }>('SELECT last_value AS tries FROM trial.tries');
  return Number(row?.tries);
}

describe('A migration whose process is killed by kill -9', () => {
  it('is completed by the next process, which starts while the database still works for the killed one', async () => {
    let migrating = startMigrating();
    for (let nth = 1; nth <= kills; nth++) {
      await until(async () => (await tries()) === nth, `try ${nth}`);
      migrating.kill('SIGKILL');
      migrating = startMigrating();
    }
    expect(await once(migrating, 'exit')).toEqual([0, null]);
    expect(await tries()).toBeGreaterThan(kills);
    await database.rows('DROP SCHEMA trial CASCADE');
    await expectFile(new URL('../../src/database/schema.sql', import.meta.url), await dumpSchema(database));
  });
});
