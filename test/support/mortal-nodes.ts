import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiAnswer, ApiClient } from './api-client.js';
import { until } from './receiver.js';
import { type ServiceProcess, startNodeProcess } from './service-process.js';
import type { TestApp } from './test-app.js';

export type NodeNumber = 0 | 1;

/** A node from one start to its end. */
interface Life {
  process: ServiceProcess;
  api: ApiClient;
  name: string;
  answers: number;
  /** When it was gone, and everything that it had sent to the database was committed or undone. */
  goneAt: number | null;
}

/** One request as its caller saw it; times are those of `performance.now()`. */
export interface Attempt<T = unknown> {
  called: number;
  ended: number;
  /** Null where no answer came: nobody knows whether the request took effect. */
  answer: ApiAnswer<T> | null;
  /** By when it took effect, if it did. */
  until: () => number;
}

/** An answered request after those of the same key that were not. */
export interface Answered<T> {
  /** Without those that came while another one was running, and changed nothing. */
  attempts: Attempt<T>[];
  answer: ApiAnswer<T>;
}

/** What a caller sees of a connection that broke before the answer had come. */
const broken = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE']);

/** Two nodes of one service as processes, either of which can be killed at any time and started anew. */
export class MortalNodes {
  kills = 0;
  readonly unanswered: Attempt[] = [];
  private readonly lives: [Life | null, Life | null] = [null, null];
  private births = 0;
  private isClosed = false;
  private readonly starting = new Set<Promise<ServiceProcess>>();

  private constructor(
    private readonly app: TestApp,
    private readonly env: Record<string, string>,
    private readonly dataDir: string,
  ) {}

  static async start(app: TestApp, env: Record<string, string> = {}): Promise<MortalNodes> {
    const nodes = new MortalNodes(app, env, await mkdtemp(join(tmpdir(), 'store-mortal-')));
    await Promise.all([nodes.bear(0), nodes.bear(1)]);
    return nodes;
  }

  get areBothAlive(): boolean {
    return this.lives.every((life) => life !== null);
  }

  /** Waits until this life of a node has answered so many requests. */
  async hasAnswered(node: NodeNumber, count: number): Promise<void> {
    await until(() => this.isClosed || (this.lives[node]?.answers ?? 0) >= count, `${count} answers of node ${node}`);
  }

  /** Kills a node by SIGKILL, and waits until the database has done with what it had sent. */
  async kill(node: NodeNumber): Promise<void> {
    const life = this.lives[node];
    if (!life) throw new Error(`Node ${node} is not alive`);
    this.lives[node] = null;
    await life.process.stop('SIGKILL');
    this.kills += 1;
    await until(async () => (await this.connectionsOf(life)) === 0, `the connections of ${life.name} to end`);
    life.goneAt = performance.now();
  }

  async bear(node: NodeNumber): Promise<void> {
    const name = `mortal-${node}-${++this.births}`;
    const url = new URL(this.app.database.url);
    url.searchParams.set('application_name', name);
    const env = { ...this.env, DATABASE_URL: url.href };
    if (this.isClosed) throw new Error('The nodes were closed');
    const start = startNodeProcess(this.app, this.dataDir, env);
    this.starting.add(start);
    const process = await start.finally(() => this.starting.delete(start));
    if ((await this.connectionsOf({ name })) === 0) throw new Error(`${name} has no connection of its name`);
    const api = new ApiClient(process.baseUrl, () => undefined);
    this.lives[node] = { process, api, name, answers: 0, goneAt: null };
  }

  /** Sends a request to a node, or to the other one if that does not take it. */
  async once<T>(send: (api: ApiClient) => Promise<ApiAnswer<T>>, node = either()): Promise<Attempt<T>> {
    for (let turn = 0; ; turn++) {
      const life = this.lives[(node + turn) % 2];
      if (!life) {
        await until(() => this.lives.some((one) => one !== null), 'a node');
        continue;
      }
      const called = performance.now();
      const attempt = (answer: ApiAnswer<T> | null): Attempt<T> => {
        const ended = performance.now();
        // A refusal for want of time says nothing about what a commit under way became.
        if (answer?.status === 503) return { called, ended, answer: null, until: () => ended };
        return { called, ended, answer, until: () => life.goneAt ?? Infinity };
      };
      try {
        const done = attempt(await send(life.api));
        if ((done.answer?.status ?? 0) >= 500) throw new Error(`A node failed: ${JSON.stringify(done.answer)}`);
        if (done.answer !== null) life.answers += 1;
        else this.unanswered.push(done);
        return done;
      } catch (error) {
        const { code = '', message } = error as Error & { code?: string };
        // So supertest tells that it found nobody.
        if (message.startsWith('ECONNREFUSED')) continue;
        if (!broken.has(code)) throw error;
        const lost = attempt(null);
        this.unanswered.push(lost);
        return lost;
      }
    }
  }

  /** Repeats a request, at one node after the other, until it is answered. */
  async answered<T>(send: (api: ApiClient) => Promise<ApiAnswer<T>>, node = either()): Promise<Answered<T>> {
    const attempts: Attempt<T>[] = [];
    for (let turn = 0; ; turn++) {
      const attempt = await this.once(send, ((node + turn) % 2) as NodeNumber);
      if (isRunning(attempt.answer)) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        continue;
      }
      attempts.push(attempt);
      if (attempt.answer !== null) return { attempts, answer: attempt.answer };
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const started = await Promise.allSettled(this.starting);
    const late = started.map((one) => (one.status === 'fulfilled' ? one.value : null));
    for (const one of [...this.lives.map((life) => life?.process), ...late]) await one?.stop('SIGKILL');
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async connectionsOf({ name }: Pick<Life, 'name'>): Promise<number> {
    const [row] = await this.app.database.rows<{ count: number }>(
      `SELECT count(*)::integer AS count FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = $1`,
      [name],
    );
    return row?.count ?? 0;
  }
}

function either(): NodeNumber {
  return Math.random() < 0.5 ? 0 : 1;
}

/** Whether an earlier request of the key is still running. */
function isRunning(answer: ApiAnswer<unknown> | null): boolean {
  return answer?.status === 409 && (answer.body as { code?: string }).code === 'request_running';
}
