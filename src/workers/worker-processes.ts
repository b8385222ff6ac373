import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Commission, Questions, Serving } from '../common/workers/channel.js';
import { NodeRates } from '../common/workers/node-rates.js';
import { Occupancy } from '../common/workers/occupancy.js';
import { WorkerProcess } from './worker-process.js';

const backoffMs = [0, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000];
/** A worker that served for so long did not fail at its start. */
const soundMs = 60_000;
/**
 * By default glibc's malloc keeps more of what was freed the larger it was (mallopt(3), M_MMAP_THRESHOLD): a tenth of the
 * memory at rest and during an import. Other libraries do not know the variable.
 */
const allocator = { MALLOC_MMAP_THRESHOLD_: process.env['MALLOC_MMAP_THRESHOLD_'] ?? '131072' };

interface WorkerProcessesParts {
  workers: number;
  database: Commission['database'];
  /** Where the data are, in words. */
  data: string;
  drainSeconds: number;
  logger: Logger;
}

/** Keeps the number of a node's workers, and coordinates them. */
export class WorkerProcesses {
  private readonly members = new Set<WorkerProcess>();
  private readonly nodeId = randomUUID();
  private readonly startedAt = Date.now();
  private readonly occupancy = new Occupancy();
  private readonly rates = new NodeRates();
  private port: Serving | undefined;
  private readonly stopping = new AbortController();
  private readonly keeping: Promise<void>[] = [];

  constructor(private readonly parts: WorkerProcessesParts) {
    cluster.setupPrimary({ exec: fileURLToPath(new URL('../main.js', import.meta.url)), args: [] });
  }

  /** Starts the lead, then the others; returns the port once all serve, or null where the lead could not. */
  async start(): Promise<Serving | null> {
    const lead = this.add(true);
    const serving = await lead.served;
    if (serving === null || this.stopping.signal.aborted) return null;
    this.port = serving;
    this.keep(lead);
    const others = Array.from({ length: this.parts.workers - 1 }, () => this.add(false));
    for (const other of others) this.keep(other);
    await Promise.all(others.map(({ served }) => served));
    return serving;
  }

  /** Lets every worker finish its work, and returns when all are gone. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    this.stopping.abort();
    const drainMs = signal === 'SIGTERM' ? this.parts.drainSeconds * 1_000 : 0;
    await Promise.all([...this.members].map((member) => member.stop(signal, drainMs)));
    await Promise.all(this.keeping);
  }

  private add(isLead: boolean): WorkerProcess {
    const member = new WorkerProcess(cluster.fork(allocator), isLead, this.occupancy);
    const { channel } = member;
    this.members.add(member);
    channel.handle('join', () => this.commission(member));
    channel.handle('changed', (cacheTags) => this.publish(member, cacheTags));
    channel.handle('others', () => this.measureOthers(member));
    channel.handle('count', ({ rate, key }) => this.rates.count(rate, key));
    void member.gone.then(() => {
      this.members.delete(member);
      // The last one to go closed the port: if any would do, it now has to be this one.
      const isOpen = [...this.members].some(({ isServing }) => isServing);
      if (this.port && !isOpen) this.port = { ...this.port, asked: this.port.port };
    });
    return member;
  }

  /** Replaces the worker when it dies, and so on, until the node stops. */
  private keep(first: WorkerProcess): void {
    this.keeping.push(
      (async () => {
        let failures = 0;
        for (let member = first; ; member = this.add(member.isLead)) {
          await member.gone;
          if (this.stopping.signal.aborted) return;
          failures = member.servedMs > soundMs ? 0 : Math.min(failures + 1, backoffMs.length - 1);
          this.parts.logger.warn({ worker: member.pid }, 'a worker is gone and will be replaced');
          await sleep(backoffMs[Math.max(0, failures - 1)], undefined, { signal: this.stopping.signal }).catch(
            () => undefined,
          );
          if (this.stopping.signal.aborted) return;
        }
      })(),
    );
  }

  private commission(member: WorkerProcess): Commission {
    member.hasJoined = true;
    const { workers, database, data } = this.parts;
    const { nodeId, startedAt, port } = this;
    const isFirst = member.isLead && port === undefined;
    return { nodeId, workers, database, data, isLead: member.isLead, isFirst, port: port?.asked, startedAt };
  }

  /** Never fails: a worker that does not confirm in time is killed. */
  private async publish(writer: WorkerProcess, cacheTags: Questions['changed']['body']): Promise<null> {
    const others = [...this.members].filter((member) => member !== writer && member.hasJoined);
    await Promise.all(
      others.map((member) =>
        member.forget(cacheTags, () => {
          this.parts.logger.error({ worker: member.pid }, 'a worker does not answer and is killed');
        }),
      ),
    );
    return null;
  }

  private measureOthers(asking: WorkerProcess): Promise<object[][]> {
    const others = [...this.members].filter((member) => member !== asking && member.isServing);
    return Promise.all(others.map((member) => member.measure()));
  }
}
