import pg from 'pg';
import { placeOf } from '../config/database-url.js';
import { StartError } from '../config/start-error.js';
import * as sql from './given-database.statements.js';

/** A database of somebody's that was empty: an ephemeral service uses it, and empties it at the end. */
export class GivenDatabaseRepository {
  private constructor(
    private readonly url: string,
    /** Its session holds the lock by which others see that the database is in use. */
    private readonly holder: pg.Client,
  ) {}

  /** For people, without secrets. */
  get place(): string {
    return placeOf(this.url);
  }

  /**
   * Takes an empty database for this process alone; what a killed one left there is removed first. Throws `StartError` where
   * it cannot be reached or used, or holds anything.
   */
  static async claim(url: string): Promise<GivenDatabaseRepository> {
    const given = new GivenDatabaseRepository(url, await connected(url));
    try {
      await given.take();
      return given;
    } catch (error) {
      await given.holder.end().catch(() => undefined);
      throw error;
    }
  }

  /** Removes all that was made in it. The service has closed its connections. */
  async release(): Promise<void> {
    // The holder may have been cut off meanwhile.
    const client = await connected(this.url);
    try {
      await empty(client);
    } finally {
      await client.end();
      await this.holder.end().catch(() => undefined);
    }
  }

  private async take(): Promise<void> {
    const { holder, place } = this;
    const { rows: lock } = await holder.query<{ taken: boolean }>(sql.holdDatabase);
    if (!lock[0]?.taken) {
      throw new StartError(`Another ephemeral service uses the database ${place}: give each one a database of its own`);
    }
    const { rows: may } = await holder.query<{ role: string; maySet: boolean; owns: boolean }>(sql.mayReset);
    const { role = '', maySet = false, owns = false } = may[0] ?? {};
    if (!owns) {
      throw new StartError(
        `--ephemeral turns the clock of the database ${place}, which takes its owner: let DATABASE_URL name that role, ` +
          'or remove it',
      );
    }
    if (!maySet) {
      throw new StartError(
        `--ephemeral puts rows back without their triggers, which the role ${role} may not: as a superuser, run ` +
          `GRANT SET ON PARAMETER session_replication_role TO ${pg.escapeIdentifier(role)}`,
      );
    }
    if ((await extensionsBefore(holder)) !== null) await empty(holder);
    const { rows: things } = await holder.query<{ what: string }>(sql.firstThing);
    if (things[0]) {
      throw new StartError(
        `--ephemeral empties its database at every reset, and ${place} holds data (${things[0].what}): name an empty ` +
          'one in DATABASE_URL, or remove DATABASE_URL',
      );
    }
    const { rows: present } = await holder.query<{ name: string }>(sql.extensions);
    const mark = sql.claimMark + present.map(({ name }) => name).join(' ');
    await holder.query('BEGIN');
    await holder.query(sql.makeClaim);
    await holder.query(sql.markClaim(pg.escapeLiteral(mark)));
    await holder.query('COMMIT');
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000, keepAlive: true });
  // The current statement throws the error of a lost connection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    const why = (error as Error).message || (error as NodeJS.ErrnoException).code;
    throw new StartError(`The database ${placeOf(url)} cannot be reached (${why}): start it, or correct DATABASE_URL`);
  }
}

/** The extensions that the database had before an ephemeral service used it; null where none did. */
async function extensionsBefore(client: pg.Client): Promise<Set<string> | null> {
  const { rows } = await client.query<{ mark: string | null }>(sql.markOfClaim);
  const mark = rows[0]?.mark;
  return mark?.startsWith(sql.claimMark) ? new Set(mark.slice(sql.claimMark.length).split(' ')) : null;
}

/** Leaves nothing of an ephemeral service. The mark goes last, so that whoever is broken off is followed by another. */
async function empty(client: pg.Client): Promise<void> {
  const before = await extensionsBefore(client);
  if (before === null) return;
  await client.query(sql.resetSearchPath(pg.escapeIdentifier(client.database ?? '')));
  const { rows } = await client.query<{ sql: string }>(sql.removals);
  for (const { sql: removal } of rows) await client.query(removal);
  const { rows: present } = await client.query<{ name: string }>(sql.extensions);
  for (const { name } of present) {
    if (!before.has(name)) await client.query(sql.dropExtension(pg.escapeIdentifier(name)));
  }
  await client.query(sql.dropClaim);
}
