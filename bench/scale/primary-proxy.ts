import { createServer } from 'node:http';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../contestants.js';
import { endChild } from '../interruption.js';
import { connected } from './client.js';
import { started } from './proxy.js';

/** A PostgreSQL, and the port where `GET /primary` is 200 while it is the primary. */
export interface ServerBehind {
  port: number;
  checkPort: number;
}

/** As docs/scale.md has it. */
const configuration = (port: number, servers: readonly ServerBehind[]) => `defaults
  mode tcp
  timeout connect 2s
  timeout client 24h
  timeout server 24h

listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.map((server, n) => `  server pg${n + 1} 127.0.0.1:${server.port} port ${server.checkPort}`).join('\n')}
`;

interface PrimaryProxy {
  port: number;
  stop(): Promise<void>;
}

/** HAProxy with one address that leads to the primary. */
export async function startPrimaryProxy(folder: string, servers: readonly ServerBehind[]): Promise<PrimaryProxy> {
  const port = await freePort();
  const file = join(folder, `postgres-${port}.cfg`);
  await writeFile(file, configuration(port, servers));
  const child = started('haproxy', ['-db', '-f', file], folder);
  return { port, stop: () => endChild(child, 'SIGTERM') };
}

interface RoleCheck {
  port: number;
  stop(): Promise<void>;
}

/** Says whether a PostgreSQL is the primary, as Patroni does. */
export async function startRoleCheck(url: string): Promise<RoleCheck> {
  const server = createServer((_request, response) => {
    connected(url, (client) => client.query('SELECT pg_is_in_recovery() AS standby')).then(
      ({ rows }) => response.writeHead(rows[0]?.standby === false ? 200 : 503).end(),
      () => response.writeHead(503).end(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
