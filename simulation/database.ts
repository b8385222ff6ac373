import pg from 'pg';
import { type EmbeddedServer, makeEphemeralFolder, startEphemeralServer } from '@store-service/embedded-postgres';
import { DatabaseAddress } from '../src/database/connections/database-address.js';
import { migrate } from '../src/database/migrate.js';
import { TestSchemaRepository } from '../src/test-mode/index.js';

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
    const server = await startEphemeralServer(folder.path, () => undefined);
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

  private async asOwner(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.server.url });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }
}
