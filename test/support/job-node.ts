import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNodeProcess } from './service-process.js';
import type { TestApp } from './test-app.js';

/** A process that runs the jobs of a service. */
export interface JobNode {
  pid: number;
  /** Kills it the way a crash does. */
  kill(): Promise<void>;
  /** Pauses and resumes it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  stop(): Promise<void>;
}

/** The nodes of a test file: a test may use those that the one before has left, since each takes seconds to start. */
export class JobNodes {
  private running: JobNode[] = [];

  constructor(
    private readonly scene: { service: TestApp },
    private readonly env: Record<string, string>,
  ) {}

  async start(): Promise<JobNode> {
    const node = await startJobNode(this.scene.service, this.env);
    this.running.push(node);
    return node;
  }

  /** Starts or kills some, so that this many run. */
  async run(count: number): Promise<JobNode[]> {
    await Promise.all(this.running.slice(count).map((node) => this.kill(node)));
    await Promise.all(Array.from({ length: count - this.running.length }, () => this.start()));
    return this.running;
  }

  async kill(node: JobNode): Promise<void> {
    this.running = this.running.filter((other) => other !== node);
    await node.kill();
  }

  async stop(node: JobNode): Promise<void> {
    this.running = this.running.filter((other) => other !== node);
    await node.stop();
  }

  /** Resumes those that a test has paused. */
  resume(): void {
    for (const node of this.running) node.signal('SIGCONT');
  }
}

/** Starts a node of `service` as a process of its own, as `npm start` does, to run the service's jobs. */
export async function startJobNode(service: TestApp, env: Record<string, string> = {}): Promise<JobNode> {
  const dataDir = await mkdtemp(join(tmpdir(), 'store-job-node-'));
  const node = await startNodeProcess(service, dataDir, env);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    await node.stop(signal);
    await rm(dataDir, { recursive: true, force: true });
  };
  return {
    pid: node.child.pid ?? 0,
    kill: () => end('SIGKILL'),
    signal: (signal) => node.child.kill(signal),
    stop: () => end('SIGTERM'),
  };
}
