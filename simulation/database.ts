import pg from 'pg';
import { type EmbeddedServer, makeEphemeralFolder, startEphemeralServer } from '@store-service/embedded-postgres';
import { DatabaseAddress } from '../src/database/connections/database-address.js';
import { migrate } from '../src/database/migrate.js';
import { TestSchemaRepository } from '../src/test-mode/index.js';

/** What would make two runs differ: statistics that come when they come, and who is ended where two wait for each other. */
const settings = { autovacuum: 'off', deadlock_timeout: '1ms' };

/** Ids of chance in a row: the same in each run of a seed. */
const makeIds = [
  'CREATE SEQUENCE test_mode.ids',
  `CREATE FUNCTION test_mode.gen_random_uuid() RETURNS uuid LANGUAGE sql VOLATILE
     AS $$ SELECT overlay(overlay(md5('id' || nextval('test_mode.ids')) placing '4' from 13) placing 'a' from 17)::uuid $$`,
];

/** Of two jobs of one time, the library takes whichever PostgreSQL finds first. A millisecond earlier by their ids, none are of one time. */
const tellJobsApart = [
  `CREATE FUNCTION test_mode.apart() RETURNS trigger LANGUAGE plpgsql
     AS $$ BEGIN NEW.run_at := NEW.run_at - (1000 - NEW.id % 1000) * interval '1 microsecond'; RETURN NEW; END $$`,
  `CREATE TRIGGER apart BEFORE INSERT OR UPDATE OF run_at ON graphile_worker._private_jobs
     FOR EACH ROW EXECUTE FUNCTION test_mode.apart()`,
];

const template = 'simulation_template';

/** The PostgreSQL of the process, with a database for each run. */
export class Databases {
  private runs = 0;

  private constructor(
    private readonly server: EmbeddedServer,
    private readonly folder: { path: string; remove(): Promise<void>; drop(): void },
  ) {}

  static async start(): Promise<Databases> {
    const folder = await makeEphemeralFolder();
    process.once('exit', () => folder.drop());
    const server = await startEphemeralServer(folder.path, () => undefined, settings);
    const databases = new Databases(server, folder);
    await databases.asOwner(`CREATE DATABASE ${template}`);
    await migrate(databases.urlOf(template));
    return databases;
  }

  /** The URL of a new, migrated database with the schema of test mode. */
  async make(): Promise<string> {
    const name = `simulation_${++this.runs}`;
    await this.asOwner(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
    const url = this.urlOf(name);
    await new TestSchemaRepository(new DatabaseAddress(url, url, true)).make();
    for (const statement of [...makeIds, ...tellJobsApart]) await this.at(url, statement);
    return url;
  }

  async drop(url: string): Promise<void> {
    await this.asOwner(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.folder.remove();
  }

  private urlOf(name: string): string {
    const url = new URL(this.server.url);
    url.pathname = `/${name}`;
    return url.href;
  }

  private asOwner(statement: string): Promise<void> {
    return this.at(this.server.url, statement);
  }

  private async at(url: string, statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }
}
