import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn } from './accounts.js';
import { ApiClient } from './api-client.js';
import { type CountedWork, countedWork, counting } from './counted-work.js';
import { makeScanningCaller, type ScanningCaller } from './scanning-caller.js';
import { type ServiceProcess, startServiceProcess } from './service-process.js';
import { createTestDatabase } from './test-database.js';

const restMs = 50;

/** The service as a process of its own whose health is checked all the time. */
export interface RunningService extends ScanningCaller {
  baseUrl: string;
  pid: number;
  /** The failed health checks so far: a response that reports a fault, or none at all. */
  ailments: string[];
  work: CountedWork;
  isAlive(): boolean;
  output(): string;
  stop(): Promise<void>;
}

function watch({ baseUrl }: ServiceProcess, ailments: string[]): () => Promise<void> {
  const stop = new AbortController();
  const probe = async (): Promise<void> => {
    const answer = await fetch(`${baseUrl}/health`);
    await answer.arrayBuffer();
    if (answer.status !== 200) ailments.push(`/health answered ${answer.status}`);
  };
  const watching = (async () => {
    while (!stop.signal.aborted) {
      await probe().catch((error: unknown) => ailments.push(`/health did not answer: ${String(error)}`));
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
  })();
  return async () => {
    stop.abort();
    await watching;
  };
}

/** Starts the service with an admin of everything, a watch on its health, and a count of its work. */
export async function startRunningService(
  env: Record<string, string> = {},
  options: string[] = [],
): Promise<RunningService> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'store-running-'));
  const password = randomBytes(12).toString('hex');
  // Machines of tests are busy: a connection may take long to come about.
  const busy = { DATABASE_PATIENCE_SECONDS: '20' };
  const own = { ...database.env, DATA_DIR: dataDir, DEMO_DATA: 'false', LOG_LEVEL: 'error', ...busy };
  const counter = counting(dataDir);
  const service = await startServiceProcess(
    { ...own, ...counter.env, ADMIN_PASSWORD: password, ...env },
    { options: [...counter.options, ...options] },
  );
  const work = await countedWork(dataDir);
  const api = new ApiClient(service.baseUrl, () => undefined);
  const caller = await makeScanningCaller(api, await signIn({ api }, 'admin', password));
  const ailments: string[] = [];
  const unwatch = watch(service, ailments);
  return {
    ...caller,
    baseUrl: service.baseUrl,
    pid: service.child.pid ?? 0,
    ailments,
    work,
    isAlive: () => service.child.exitCode === null && service.child.signalCode === null,
    output: () => service.output(),
    stop: async () => {
      await unwatch();
      await service.stop('SIGKILL');
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
