import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function listens(port) {
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

/** PgBouncer in transaction mode with its defaults, in front of all databases of a server. */
function configuration(server, port) {
  return `[databases]
* = host=127.0.0.1 port=${server.port} user=${server.username} password=${server.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,lock_timeout
default_pool_size = 10
max_client_conn = 1000
server_idle_timeout = 10
log_connections = 0
log_disconnections = 0
`;
}

/** A pooler takes no limits of its clients: the role brings them, as docs/scale.md says. */
const limits = [
  "statement_timeout = '30s'",
  "idle_in_transaction_session_timeout = '60s'",
  'enable_seqscan = off',
  'jit = off',
];

async function limitRole(serverUrl) {
  const client = new pg.Client({ connectionString: `${serverUrl}/postgres` });
  await client.connect();
  for (const limit of limits) await client.query(`ALTER ROLE CURRENT_USER SET ${limit}`);
  await client.end();
}

/** Starts PgBouncer in front of the server; as root it runs under another user, as it requires. */
export async function startPgBouncer(serverUrl, folder) {
  await limitRole(serverUrl);
  const server = new URL(serverUrl);
  const port = await freePort();
  const place = join(folder, 'pgbouncer');
  await mkdir(place);
  const file = join(place, 'pgbouncer.ini');
  await writeFile(file, configuration(server, port));
  await chmod(place, 0o755);
  const user = process.getuid() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', [...user, '-q', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  const gone = once(child, 'exit');
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
    await sleep(20);
  }
  return {
    url: `postgres://${server.username}@127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGTERM');
      await gone;
    },
  };
}
