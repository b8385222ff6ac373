import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../contestants.js';
import { endChild, spawnChild } from '../interruption.js';

const waitMs = 20;
const mostWaits = 500;

/** In transaction mode, with the limits of docs/scale.md. */
function configuration(server: URL, port: number): string {
  return `[databases]
* = host=${server.hostname} port=${server.port} user=${server.username} password=${decodeURIComponent(server.password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 1000
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,lock_timeout
log_connections = 0
log_disconnections = 0
`;
}

/** The limits and plans that the role brings along behind a pooler, as docs/scale.md has them. */
const ofRole = [
  "statement_timeout = '30s'",
  "idle_in_transaction_session_timeout = '60s'",
  'enable_seqscan = off',
  'jit = off',
];

async function prepareRole(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  for (const setting of ofRole) await client.query(`ALTER ROLE CURRENT_USER SET ${setting}`);
  await client.end();
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** PgBouncer before a server; it keeps its port over a restart. */
export class Pooler {
  private child: ChildProcess | undefined;

  private constructor(
    readonly url: string,
    private readonly port: number,
    private readonly file: string,
  ) {}

  static async before(databaseUrl: string, folder: string): Promise<Pooler> {
    const [server, port] = [new URL(databaseUrl), await freePort()];
    const place = join(folder, 'pgbouncer');
    await mkdir(place, { mode: 0o755 });
    const file = join(place, 'pgbouncer.ini');
    await writeFile(file, configuration(server, port));
    await prepareRole(databaseUrl);
    return new Pooler(`postgres://${server.username}@127.0.0.1:${port}${server.pathname}`, port, file);
  }

  /** Throws where PgBouncer is not installed. */
  async start(): Promise<void> {
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child = spawnChild('pgbouncer', [...user, '-q', this.file], { stdio: ['ignore', 'ignore', 'inherit'] });
    this.child = child;
    let missing = false;
    child.once('error', () => (missing = true));
    for (let waits = 0; !(await listens(this.port)); waits++) {
      if (missing)
        throw new Error('There is no pgbouncer on the PATH: install it, such as by apt-get install pgbouncer');
      if (child.exitCode !== null || waits === mostWaits) throw new Error('PgBouncer did not start');
      await sleep(waitMs);
    }
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.child) await endChild(this.child, signal);
  }
}
