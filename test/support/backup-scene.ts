import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Order } from '../../src/store/orders/orders.dto.js';
import type { UploadedPicture } from '../../src/store/uploads/uploads.dto.js';
import { newUsername, signIn } from './accounts.js';
import { ApiClient } from './api-client.js';
import { formWith, makePicture } from './pictures.js';
import { makeScanningCaller } from './scanning-caller.js';
import { copyServiceData } from './service-data.js';
import { briefly, type ServiceProcess, startServiceProcess } from './service-process.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const password = 'correct horse 7';

/** `npm run backup` or `npm run restore` at work. */
export interface RunningCommand {
  child: ChildProcess;
  /** Its exit code, or null if a signal ended it, and everything it printed. */
  ended: Promise<{ code: number | null; output: string }>;
}

/** Folders that every user may enter, so that PostgreSQL's own user can reach them when the tests run as root. */
export class BackupScene {
  private readonly services: ServiceProcess[] = [];

  private constructor(readonly folder: string) {}

  static async open(): Promise<BackupScene> {
    const folder = await mkdtemp(join(tmpdir(), 'backup-'));
    await chmod(folder, 0o755);
    return new BackupScene(folder);
  }

  async dataFolder(name: string): Promise<string> {
    const path = await mkdtemp(join(this.folder, `${name}-`));
    await chmod(path, 0o755);
    return path;
  }

  /** A data folder as a service leaves it that has started once. */
  async usedFolder(name: string): Promise<string> {
    const path = await this.dataFolder(name);
    await copyServiceData(path);
    return path;
  }

  /** The service on its embedded server. */
  async serve(dataDir: string): Promise<ServiceProcess> {
    const quiet = { DEMO_DATA: 'false', CONSOLE: 'false', STOREFRONT: 'false', LOG_LEVEL: 'error' };
    const service = await startServiceProcess({ DATA_DIR: dataDir, ...quiet });
    this.services.push(service);
    return service;
  }

  run(dataDir: string, args: string[], env: Record<string, string> = {}): RunningCommand {
    const child = spawn(process.execPath, [...briefly, 'scripts/start.mjs', ...args], {
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(child, 'close').then(() => ({ code: child.exitCode, output }));
    return { child, ended };
  }

  async close(): Promise<void> {
    await Promise.all(this.services.map((service) => service.stop()));
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A shopper with a picture, who orders a product over and over. */
export class OrderingShopper {
  readonly answered: number[] = [];
  private stop = new AbortController();
  private ordering: Promise<void> | undefined;

  private constructor(
    private readonly api: ApiClient,
    readonly username: string,
    private readonly token: string,
    readonly picture: UploadedPicture,
    readonly productId: number,
  ) {}

  static async join({ baseUrl }: ServiceProcess): Promise<OrderingShopper> {
    const api = new ApiClient(baseUrl, () => undefined);
    const username = newUsername();
    const account = { username, password, email: `${username}@example.com` };
    await api.post('/api/v1/auth/register', { json: account });
    const token = await signIn({ api }, username, password);
    const raw = formWith(await makePicture('jpeg'));
    const { body: picture } = await api.post<UploadedPicture>('/api/v1/uploads/avatar', { token, raw });
    const product = { name: 'Linen shirt', price: 5, stock: 100_000 };
    const { body } = await api.post<{ id: number }>('/api/v1/products/', { token, json: product });
    return new OrderingShopper(api, username, token, picture, body.id);
  }

  /** Orders until `end`, unless it does so already. */
  begin(): void {
    if (this.ordering !== undefined) return;
    const { signal } = (this.stop = new AbortController());
    this.ordering = (async () => {
      while (!signal.aborted) {
        this.answered.push(await this.order());
        await sleep(20); // the commands running beside it need the processor more
      }
    })();
  }

  async end(): Promise<void> {
    this.stop.abort();
    await this.ordering;
    this.ordering = undefined;
  }

  private async order(): Promise<number> {
    const [token, json] = [this.token, { product_id: this.productId, quantity: 1 }];
    await this.api.post('/api/v1/cart/add', { token, json });
    const { status, body } = await this.api.post<Order>('/api/v1/orders/', { token });
    if (status !== 201) throw new Error(`Ordering answered ${status}`);
    return body.id;
  }
}

/** The prefix of the key of a new organization, which has a scan, and the path to that scan's events. */
export async function joinScanning({
  baseUrl,
}: ServiceProcess): Promise<{ headers: Record<string, string>; appendPath: string }> {
  const api = new ApiClient(baseUrl, () => undefined);
  const account = { username: newUsername(), password };
  await api.post('/api/v1/auth/register', { json: { ...account, email: `${account.username}@example.com` } });
  const token = await signIn({ api }, account.username, password);
  const { organizationId, scanId } = await makeScanningCaller(api, token);
  const path = `/api/v1/organizations/${organizationId}/api-keys`;
  const { body } = await api.post<{ key: string }>(path, { token, json: { name: 'Scanner', role: 'member' } });
  return {
    headers: { 'x-api-key': body.key, 'content-type': 'application/json' },
    appendPath: `/api/v1/scans/${scanId}/events`,
  };
}

/** Signs the shopper in at another service. */
export async function signInAgain({ baseUrl }: ServiceProcess, { username }: OrderingShopper): Promise<string> {
  return signIn({ api: new ApiClient(baseUrl, () => undefined) }, username, password);
}
