import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';
import type { ImportResult } from '../../src/scanning/reports/reports.dto.js';
import { type ApiAnswer, ApiClient } from './api-client.js';
import { insertOrganization } from './organizations.js';
import { Imports } from './report-imports.js';
import { type ServiceProcess, startNodeProcess } from './service-process.js';
import { startTestApp, type TestApp } from './test-app.js';

/** What was observed while some work ran. */
export interface Watched<T> {
  result: T;
  /** The statuses of /health meanwhile. */
  health: Set<number>;
  /** The peak resident memory meanwhile. */
  megabytes: number;
}

/** A node in a process of its own, for imports that could crash it. */
export class ImportNode {
  private readonly imports: Imports;

  private constructor(
    private readonly app: TestApp,
    private readonly node: ServiceProcess,
    private readonly dataDir: string,
    token: string,
  ) {
    this.imports = new Imports(new ApiClient(node.baseUrl, () => undefined), token);
  }

  static async open(): Promise<ImportNode> {
    const app = await startTestApp();
    const { member } = await insertOrganization(app);
    const dataDir = await mkdtemp(join(tmpdir(), 'store-import-node-'));
    const node = await startNodeProcess(app, dataDir);
    return new ImportNode(app, node, dataDir, member.token);
  }

  get isAlive(): boolean {
    return this.node.child.exitCode === null && this.node.child.signalCode === null;
  }

  /**
   * Imports a report that took long to generate. The node may have closed idle connections meanwhile; two ticks let the client
   * notice, since every event that was pending before the first is handled between them.
   */
  async send(report: Buffer, query: string): Promise<ApiAnswer<ImportResult>> {
    await tick();
    await tick();
    return this.imports.send(report, query, { 'content-type': 'application/gzip' });
  }

  /** The peak resident memory since the start. */
  peakMegabytes(): Promise<number> {
    return this.memory('VmHWM');
  }

  /** Awaits the work, and requests /health until it ends. */
  async watch<T>(work: Promise<T>): Promise<Watched<T>> {
    const health = new Set<number>();
    const state = { isDone: false };
    let megabytes = 0;
    const watching = (async () => {
      while (!state.isDone) {
        health.add(await this.health());
        megabytes = Math.max(megabytes, await this.memory('VmRSS'));
        await sleep(50);
      }
    })();
    const result = await work.finally(() => (state.isDone = true));
    await watching;
    return { result, health, megabytes };
  }

  /** On a connection of its own: a kept-alive one may close while a busy process does not look. */
  private async health(): Promise<number> {
    const asked = request(`${this.node.baseUrl}/health`, { agent: false }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode ?? 0;
  }

  async close(): Promise<void> {
    await this.node.stop('SIGKILL');
    await this.app.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async memory(field: 'VmRSS' | 'VmHWM'): Promise<number> {
    const status = await readFile(`/proc/${this.node.child.pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024;
  }
}
