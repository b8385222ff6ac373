import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DatabaseError } from 'pg';
import { migrationNames } from '../../../src/database/data-source-options.js';
import { migrate } from '../../../src/database/migrate.js';
import { dumpSchema } from '../../support/schema-dump.js';
import { expectFile } from '../../support/snapshot-file.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const endedByAdmin = '57P01';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('template0');
});
afterAll(() => database.drop());

/** Ends the session of each migration once, when it has done everything and records itself. A sequence survives the rollback. */
const endOnce = `
  CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL);
  CREATE SCHEMA trial;
  CREATE SEQUENCE trial.ended;
  CREATE SEQUENCE trial.times;
  CREATE FUNCTION trial.end_once() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF (SELECT last_value FROM trial.ended) <> NEW.timestamp THEN
      PERFORM setval('trial.ended', NEW.timestamp), nextval('trial.times'), pg_terminate_backend(pg_backend_pid());
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER end_once BEFORE INSERT ON migrations FOR EACH ROW EXECUTE FUNCTION trial.end_once();`;

describe('Migrations that are each interrupted just before they are recorded', () => {
  it('are completed by the next start, with the same schema', async () => {
    await database.rows(endOnce);
    let starts = 1;
    for (let isDone = false; !isDone; starts++) {
      isDone = await migrate(database.url).then(
        () => true,
        (error: DatabaseError) => {
          if (error.code !== endedByAdmin && !/terminated/.test(error.message)) throw error;
          return false;
        },
      );
    }
    const [{ noted, times } = { noted: 0, times: 0 }] = await database.rows<{ noted: number; times: number }>(
      'SELECT (SELECT count(*)::integer FROM migrations) AS noted, last_value::integer AS times FROM trial.times',
    );
    expect(noted).toBe(migrationNames().length);
    expect(times).toBe(noted);
    expect(starts - 2).toBe(noted);
    await database.rows('DROP SCHEMA trial CASCADE');
    await expectFile(new URL('../../../src/database/schema.sql', import.meta.url), await dumpSchema(database));
  }, 600_000);
});
