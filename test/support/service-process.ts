import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Secrets } from '../../src/config/secrets.js';
import './built-service.js';
import type { TestApp } from './test-app.js';

/**
 * The options with which `npm start` runs the service, save that for source maps: to read two thousand of them is a good part
 * of a start.
 */
const heap = ['--max-old-space-size=512', '--min-semi-space-size=8', '--max-semi-space-size=8'];
/** What `scripts/test.mjs` saves processor time with in processes that live briefly. */
export const briefly = process.execArgv.filter((option) => option.startsWith('--interrupt-budget'));
const root = fileURLToPath(new URL('../..', import.meta.url));

export interface ServiceProcess {
  child: ChildProcess;
  baseUrl: string;
  /** Everything that it has printed so far. */
  output(): string;
  /** Ends it with a signal and returns its exit code, or null if the signal killed it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface ProcessChoices {
  /** The Node.js that runs it, and its further options. */
  node?: string;
  options?: string[];
  /** What it runs; by default what `npm start` runs. */
  program?: string;
  /** Whether it has to work long enough that optimizing its code pays. */
  lasting?: boolean;
}

/** The service as a process of its own, run as `npm start` runs it, on a free port; resolves when it reports that it is ready. */
export async function startServiceProcess(
  env: Record<string, string>,
  { node = process.execPath, options = [], program = 'scripts/start.mjs', lasting = false }: ProcessChoices = {},
): Promise<ServiceProcess> {
  const child = spawn(node, [...heap, ...(lasting ? [] : briefly), ...options, program], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'exit');
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
    return child.exitCode;
  };
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const match = /API +(http:\S+)\/api\/v1/.exec(output);
      if (!match?.[1]) return;
      child.stdout.off('data', look); // a test may cause thousands of lines of log
      resolve(match[1]);
    };
    child.stdout.on('data', look);
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}:\n${output}`)));
  });
  return { child, baseUrl, output: () => output, stop };
}

/**
 * Another node of a test's service in a process of its own, with the same database and secrets. Without a shop front, console
 * and API reference, which make up a third of a start's work.
 */
export function startNodeProcess(
  { nest, database }: TestApp,
  dataDir: string,
  env: Record<string, string> = {},
): Promise<ServiceProcess> {
  const { jwtSecret, encryptionKey } = nest.get(Secrets);
  return startServiceProcess({
    ...database.env,
    DATA_DIR: dataDir,
    DEMO_DATA: 'false',
    STOREFRONT: 'false',
    CONSOLE: 'false',
    DOCS: 'false',
    // Machines of tests are busy: a connection may take long to come about.
    DATABASE_PATIENCE_SECONDS: '20',
    JWT_SECRET: jwtSecret,
    ENCRYPTION_KEY: encryptionKey.toString('hex'),
    LOG_LEVEL: 'silent',
    ...env,
  });
}
