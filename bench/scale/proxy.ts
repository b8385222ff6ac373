import type { ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { freePort, ready, root } from '../contestants.js';
import { endChild, spawnChild } from '../interruption.js';
import type { ClusterNode } from './cluster.js';

/** Of HAProxy, as docs/scale.md has it. */
function forHaproxy(port: number, nodes: ClusterNode[]): string {
  return `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 5s
  retries 3
  option redispatch 1
  retry-on conn-failure

frontend shop
  bind 127.0.0.1:${port}
  default_backend nodes

backend nodes
  balance leastconn
  option httpchk GET /health/ready
  option forwardfor
  default-server check inter 1s fall 2 rise 1
${nodes.map((node, n) => `  server node${n + 1} 127.0.0.1:${node.port}`).join('\n')}
`;
}

/** Of Caddy, as deploy/compose.yml has it. */
async function forCaddy(port: number, nodes: ClusterNode[]): Promise<string> {
  const compose = parse(await readFile(join(root, 'deploy/compose.yml'), 'utf8')) as {
    configs: { caddy: { content: string } };
  };
  const upstreams = nodes.map((node) => `127.0.0.1:${node.port}`).join(' ');
  const content = compose.configs.caddy.content
    .replace(':8080', `http://127.0.0.1:${port}`)
    .replace('node1:3000 node2:3000 node3:3000', upstreams);
  return `{\n  admin off\n}\n${content}`;
}

interface Proxy {
  baseUrl: string;
  stop(): Promise<void>;
}

/** A program of the PATH; throws where it is not installed. */
export function started(program: string, args: string[], folder: string): ChildProcess {
  const env = { PATH: process.env['PATH'], HOME: folder };
  const child = spawnChild(program, args, {
    env,
    stdio: ['ignore', 'ignore', program === 'caddy' ? 'ignore' : 'inherit'],
  });
  child.once('error', () => undefined);
  if (child.pid === undefined) {
    throw new Error(`There is no ${program} on the PATH: install it, such as by apt-get install ${program}`);
  }
  return child;
}

/** A load balancer before the nodes: HAProxy, or what PROXY says. Throws where it is not installed. */
export async function startProxy(nodes: ClusterNode[], folder: string): Promise<Proxy> {
  const port = await freePort();
  const isCaddy = process.env['PROXY'] === 'caddy';
  const file = join(folder, isCaddy ? 'Caddyfile' : 'haproxy.cfg');
  await writeFile(file, isCaddy ? await forCaddy(port, nodes) : forHaproxy(port, nodes));
  const child = isCaddy
    ? started('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], folder)
    : started('haproxy', ['-db', '-f', file], folder);
  const baseUrl = `http://127.0.0.1:${port}`;
  await ready(child, `${baseUrl}/health/ready`);
  return {
    baseUrl,
    stop: () => endChild(child, 'SIGTERM'),
  };
}
