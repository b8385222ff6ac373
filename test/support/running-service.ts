import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn } from './accounts.js';
import { ApiClient } from './api-client.js';
import { cpuMsOf } from './process-usage.js';
import { makeScanningCaller, type ScanningCaller } from './scanning-caller.js';
import { type ServiceProcess, startServiceProcess } from './service-process.js';
import { createTestDatabase } from './test-database.js';

/** A process that is busy for so long before it answers `/health` hangs: on nothing that is asked of it does it work longer. */
const healthMs = 5_000;
const restMs = 50;

/** The service as a process of its own that is asked for its health all the time. */
export interface RunningService extends ScanningCaller {
  baseUrl: string;
  pid: number;
  /** The faults of its health so far: a late response, or none. */
  ailments: string[];
  isAlive(): boolean;
  output(): string;
  stop(): Promise<void>;
}

/** A response is late where the process itself was busy: other work on the machine is not its fault. */
function watch({ child, baseUrl }: ServiceProcess, ailments: string[]): () => Promise<void> {
  const stop = new AbortController();
  const pid = child.pid ?? 0;
  const probe = async (): Promise<void> => {
    const [began, cpu] = [performance.now(), cpuMsOf(pid)];
    const answer = await fetch(`${baseUrl}/health`);
    await answer.arrayBuffer();
    const [tookMs, busyMs] = [performance.now() - began, cpuMsOf(pid) - cpu];
    if (answer.status !== 200) ailments.push(`/health answered ${answer.status}`);
    if (tookMs > healthMs && busyMs > 0.8 * healthMs)
      ailments.push(`/health took ${tookMs} ms, ${busyMs} ms of them busy`);
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

/** Starts the service with an admin of everything, and a watch on its health. */
export async function startRunningService(env: Record<string, string> = {}): Promise<RunningService> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'store-running-'));
  const password = randomBytes(12).toString('hex');
  const own = { ...database.env, DATA_DIR: dataDir, DEMO_DATA: 'false', LOG_LEVEL: 'error' };
  const service = await startServiceProcess({ ...own, ADMIN_PASSWORD: password, ...env });
  const api = new ApiClient(service.baseUrl, () => undefined);
  const caller = await makeScanningCaller(api, await signIn({ api }, 'admin', password));
  const ailments: string[] = [];
  const unwatch = watch(service, ailments);
  return {
    ...caller,
    baseUrl: service.baseUrl,
    pid: service.child.pid ?? 0,
    ailments,
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
