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

/** Starts a node of `service` as a process of its own, as `npm start` does, to run the service's jobs. */
export async function startJobNode(service: TestApp, env: Record<string, string> = {}): Promise<JobNode> {
  const dataDir = await mkdtemp(join(tmpdir(), 'store-job-node-'));
  const node = await startNodeProcess(service, dataDir, { CONSOLE: 'false', ...env });
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
