import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, ready, settingsOf } from '../contestants.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = ['--max-old-space-size=512', '--max-semi-space-size=8', 'dist/src/main.js'];

/** A node that keeps its port over a restart. */
export class ClusterNode {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly env: Record<string, string>,
  ) {}

  static async on(databaseUrl: string, folder: string, extra: Record<string, string>): Promise<ClusterNode> {
    const place = { databaseUrl, dataDir: folder, sourceUrl: '', profileFolder: undefined };
    const env = { ...settingsOf('service', place), TRUST_PROXY: '127.0.0.1', ENCRYPTION_KEY: '5'.repeat(64), ...extra };
    return new ClusterNode(await freePort(), env);
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts this release, or the one in the folder. */
  async start(release = root): Promise<void> {
    const env = { PATH: process.env['PATH'] ?? '', PORT: String(this.port), ...this.env };
    this.child = spawn(process.execPath, program, { cwd: release, env, stdio: ['ignore', 'ignore', 'inherit'] });
    await ready(this.child, `${this.baseUrl}/health/ready`);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }
}

/** As docs/scale.md has it. */
function configuration(port: number, nodes: ClusterNode[]): string {
  return `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
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

export interface Proxy {
  baseUrl: string;
  stop(): Promise<void>;
}

/** HAProxy before the nodes. Throws where it is not installed. */
export async function startProxy(nodes: ClusterNode[], folder: string): Promise<Proxy> {
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration(port, nodes));
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  const missing = once(child, 'error').then(() => {
    throw new Error('There is no haproxy on the PATH: install it, such as by apt-get install haproxy');
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  await Promise.race([missing, ready(child, `${baseUrl}/health/ready`)]);
  return {
    baseUrl,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
