import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import pg, { type ClientConfig } from 'pg';
import { SUPERUSER } from './cluster.js';

/** The part of a connection that a query writes on. */
interface Wire {
  query(sql: string): void;
  stream: { pause(): void; resume(): void };
}

// CopyData messages of BASE_BACKUP begin with their kind (documentation, "Streaming Replication Protocol").
const archiveBegins = 'n'.charCodeAt(0);
const archiveData = 'd'.charCodeAt(0);

/** BASE_BACKUP as a query of node-postgres: the server's data go to `out`, as fast as that is read. */
class BaseBackupQuery {
  readonly out = new PassThrough();
  private archives = 0;

  constructor(private readonly label: string) {}

  submit(connection: Wire): void {
    this.out.on('drain', () => connection.stream.resume());
    connection.query(`BASE_BACKUP (LABEL '${this.label}', CHECKPOINT 'fast', WAL true, MANIFEST 'no')`);
  }

  handleCopyData({ chunk }: { chunk: Buffer }, connection: Wire): void {
    if (chunk[0] === archiveBegins && ++this.archives > 1) this.handleError(new Error('The cluster has tablespaces'));
    // Copied: the driver writes the next message into the same memory.
    if (chunk[0] === archiveData && !this.out.write(Buffer.from(chunk.subarray(1)))) connection.stream.pause();
  }

  handleError(error: Error): void {
    this.out.destroy(error);
  }

  handleReadyForQuery(): void {
    this.out.end();
  }

  handleRowDescription(): void {
    // The log's bounds, which the archive itself contains.
  }

  handleDataRow(): void {
    // As above.
  }

  handleCommandComplete(): void {
    // There are several: the whole is over when the server is ready for the next query.
  }
}

/**
 * Reads the whole cluster of a running embedded server, by its URL, as PostgreSQL's tar archive of it: with the log
 * that a start from it needs, consistent as of its end. A slot that ends with the connection keeps that log.
 */
export async function* readBaseBackup(serverUrl: string): AsyncGenerator<Buffer> {
  const { hostname: host, port, password } = new URL(serverUrl);
  const address = { host, port: Number(port), user: SUPERUSER, password, ssl: false };
  const config = { ...address, replication: 'true', application_name: 'store-service: backup' };
  const client = new pg.Client(config satisfies ClientConfig & { replication: string });
  const name = `store_backup_${randomBytes(8).toString('hex')}`;
  const backup = new BaseBackupQuery(name);
  // Its reader throws the error; before anybody reads, the statement that begins the backup throws it.
  backup.out.on('error', () => undefined);
  client.on('error', (error) => backup.handleError(error));
  await client.connect();
  try {
    await client.query(`CREATE_REPLICATION_SLOT ${name} TEMPORARY PHYSICAL (RESERVE_WAL)`);
    client.query(backup);
    yield* backup.out as AsyncIterable<Buffer>;
  } finally {
    backup.out.destroy();
    // An abandoned backup is still in progress, and ends with its connection.
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}
