import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { EventCalls, newEvent } from '../support/events.js';
import { insertOrganization } from '../support/organizations.js';
import { Imports, rowCounts, sarifLog, sarifResult } from '../support/report-imports.js';
import { Scanning } from '../support/scanning.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let imports: Imports;
let scanId: string;
let events: EventCalls;
beforeAll(async () => {
  app = await startTestApp();
  const scanning = new Scanning(app, await insertOrganization(app));
  imports = new Imports(app.api, scanning.token);
  events = new EventCalls(app, scanning.token);
  await imports.import(sarifLog([sarifResult('FIRST')])); // makes the month's partition
  scanId = (await scanning.scan()).id;
});
afterAll(() => app.close());

/** Runs SQL in the test's database on each server that holds shards, at the shards themselves. */
async function onWorkers(sql: string): Promise<void> {
  const [, ...workers] = JSON.parse(process.env['TEST_CITUS_SERVERS'] ?? '[]') as string[];
  const options =
    '-c citus.enable_manual_changes_to_shards=on -c citus.override_table_visibility=off -c citus.enable_ddl_propagation=off';
  for (const worker of workers) {
    const url = new URL(worker);
    url.pathname = new URL(app.database.url).pathname;
    const client = new pg.Client({ connectionString: url.href, options });
    await client.connect();
    await client.query(sql);
    await client.end();
  }
}

const onShards = (act: string) => `
  DO $$ DECLARE shard regclass; BEGIN
    FOR shard IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relname ~ '^scan_events_\\d{4}_\\d{2}_\\d+$' LOOP
      EXECUTE format('${act}', shard);
    END LOOP;
  END $$`;

/** Has each server fail where an event is written that is of an issue, as those of imports are. */
async function fail(code: string, message: string): Promise<void> {
  await onWorkers(`
    CREATE OR REPLACE FUNCTION fail_here() RETURNS trigger LANGUAGE plpgsql AS
      $f$ BEGIN RAISE EXCEPTION USING ERRCODE = '${code}', MESSAGE = $m$${message}$m$; END $f$;
    ${onShards(
      'CREATE OR REPLACE TRIGGER fail_here BEFORE INSERT ON %s FOR EACH ROW WHEN (cardinality(NEW.issue_ids) > 0) EXECUTE FUNCTION fail_here()',
    )}`);
}

const results = Array.from({ length: 600 }, (_, at) => sarifResult(`R${at}`));

describe('An import whose events another server fails to write', () => {
  it.each([
    ['40P01', 'deadlock detected'],
    ['40001', 'could not serialize access due to concurrent update'],
    ['53100', 'could not extend file "base/1/2": No space left on device'],
    ['53200', 'out of memory'],
    ['57014', 'canceling statement due to statement timeout'],
    ['57P03', 'the database system is shutting down'],
  ])('answers 503 to %s, "%s", and leaves nothing', async (code, message) => {
    const before = await rowCounts(app);
    await fail(code, message);
    const { status, headers } = await imports.send(JSON.stringify(sarifLog(results)));
    expect([status, headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect(await rowCounts(app)).toEqual(before);
    await events.appended(scanId, newEvent({ title: code }));
  });

  it('is complete once that server is well again', async () => {
    await onWorkers(onShards('DROP TRIGGER IF EXISTS fail_here ON %s'));
    const written = await imports.import(sarifLog(results));
    expect([written.created, written.events]).toEqual([results.length, results.length + 2]);
  });
});
