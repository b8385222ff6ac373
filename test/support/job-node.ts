import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Secrets } from '../../src/config/secrets.js';
import type { TestApp } from './test-app.js';

/** A process that runs the jobs of a service. */
export interface JobNode {
  pid: number;
  /** Kills it, as a crash does. */
  kill(): Promise<void>;
  /** Pauses it, and lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  stop(): Promise<void>;
}

/** Starts a node of `service` in a process of its own, which only runs jobs. */
export async function startJobNode(service: TestApp, env: Record<string, string> = {}): Promise<JobNode> {
  const secrets = service.app.get(Secrets);
  const child: ChildProcess = fork(join('test', 'support', 'job-node-child.ts'), [], {
    execArgv: ['--import', './test/support/ts-loader.mjs'],
    env: {
      PATH: process.env['PATH'],
      LOG_LEVEL: 'silent',
      DEMO_DATA: 'false',
      ...service.database.env,
      JWT_SECRET: secrets.jwtSecret,
      ENCRYPTION_KEY: secrets.encryptionKey.toString('hex'),
      ...env,
    },
  });
  const gone = once(child, 'exit');
  await Promise.race([
    once(child, 'message'),
    gone.then(() => Promise.reject(new Error('The node ended at its start'))),
  ]);
  return {
    pid: child.pid ?? 0,
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
    signal: (signal) => child.kill(signal),
    stop: async () => {
      if (child.connected) child.send('stop', () => undefined);
      await gone;
    },
  };
}
