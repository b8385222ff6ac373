import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort, ready, settingsOf } from '../contestants.js';
import { endChild, spawnChild } from '../interruption.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = ['--max-old-space-size=512', '--min-semi-space-size=8', '--max-semi-space-size=8', 'dist/src/main.js'];

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
    this.child = spawnChild(process.execPath, program, { cwd: release, env, stdio: ['ignore', 'ignore', 'inherit'] });
    await ready(this.child, `${this.baseUrl}/health/ready`);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.child) await endChild(this.child, signal);
  }
}
