import type { AddressInfo, Socket } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { IncomingMessage } from 'node:http';
import { runTaskListOnce, type TaskList } from 'graphile-worker';
import pg from 'pg';
import { createApp } from '../src/cli/app.js';
import type { AppParts } from '../src/app.module.js';
import { isDatabaseAway } from '../src/platform/errors/database-errors.js';
import { JobRunner } from '../src/platform/jobs/job-runner.js';
import { workOn } from '../src/platform/jobs/job-work.js';
import { beginLiveness, lockLiveness } from '../src/platform/jobs/jobs.statements.js';
import { workerLogger } from '../src/platform/jobs/worker-log.js';
import type { StatementDoor } from './statement-door.js';
import { type Actor, type Life, whereabouts } from './whereabouts.js';

/** The header by which a request says whose work it is. */
export const actorHeader = 'x-simulated-actor';

/** A node of the service, whole and real, in this process: it serves HTTP on loopback, and runs jobs when it is told to. */
export class SimulatedNode {
  private readonly ending = new AbortController();

  private constructor(
    readonly life: Life,
    readonly nest: NestExpressApplication,
    readonly url: string,
    private readonly pool: pg.Pool,
    private readonly door: StatementDoor,
  ) {}

  /** Starts it. `actorOf` finds somebody by name. */
  static async start(
    life: Life,
    parts: AppParts,
    door: StatementDoor,
    actorOf: (name: string) => Actor | undefined,
  ): Promise<SimulatedNode> {
    return whereabouts.run({ life }, async () => {
      const nest = await createApp(parts);
      // Node.js makes the socket of a connection before it is anybody's.
      nest.getHttpServer().prependListener('connection', (socket: Socket) => {
        const emit = socket.emit.bind(socket) as (...event: unknown[]) => boolean;
        socket.emit = (...event: unknown[]) =>
          whereabouts.getStore() ? emit(...event) : whereabouts.run({ life }, () => emit(...event));
      });
      nest.getHttpServer().prependListener('request', (request: IncomingMessage) => {
        whereabouts.enterWith({ life, actor: actorOf(String(request.headers[actorHeader])) });
      });
      await nest.listen(0, '127.0.0.1');
      const { port } = nest.getHttpServer().address() as AddressInfo;
      const pool = new pg.Pool({ connectionString: parts.database.directUrl, max: 2, idleTimeoutMillis: 0 });
      pool.on('error', () => undefined);
      pool.on('connect', (client) => client.on('error', () => undefined));
      const node = new SimulatedNode(life, nest, `http://127.0.0.1:${port}`, pool, door);
      await nest.get(JobRunner).planAll();
      return node;
    });
  }

  /** The name of somebody who does its jobs, in a step. */
  get workerName(): string {
    return `worker-${this.life.node}`;
  }

  /**
   * Runs the due jobs one after the other, until none is left: as `actor`, whose statements wait for their turns. Tells the
   * id of the worker: where it loses its connection, what it had in hand is still locked by that.
   */
  runDueJobs(actor: Actor, tell: (workerId: string) => void): Promise<void> {
    return whereabouts.run({ life: this.life }, () => this.run(actor, tell));
  }

  private async run(actor: Actor, tell: (workerId: string) => void): Promise<void> {
    const { life } = this;
    const client = await this.pool.connect();
    let proof: Promise<pg.PoolClient> | undefined;
    const pool = whereabouts.run({ life, actor }, () => {
      const begun = runTaskListOnce(
        this.options,
        this.listOf(() => [begun.id, proof]),
        client,
      );
      return begun;
    });
    tell(pool.id);
    proof = this.proveAlive(pool.id);
    proof.catch(() => undefined); // a job that waits for it fails, and without a job nobody misses it
    try {
      await pool.promise;
      client.release();
    } catch (error) {
      client.release(true);
      if (!life.hasEnded && !isDatabaseAway(error)) throw error;
    } finally {
      await proof.then((one) => this.endProof(one)).catch(() => undefined);
    }
  }

  /** As `src/platform/jobs/worker-pools.ts` has them. */
  private get options() {
    const { tasks } = this.nest.get(JobRunner).registered;
    return {
      noHandleSignals: true,
      logger: workerLogger,
      forbiddenFlags: () => tasks.flatMap(({ forbiddenFlags }) => forbiddenFlags?.() ?? []),
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    };
  }

  private listOf(worker: () => [id: string, proof: Promise<unknown> | undefined]): TaskList {
    const list: TaskList = {};
    for (const task of this.nest.get(JobRunner).registered.tasks) {
      list[task.name] = async (_, { job }) => {
        const [workerId, proof] = worker();
        await proof;
        await workOn(task, job, workerId, this.ending.signal);
      };
    }
    return list;
  }

  /** Ends it as kill -9 does: from one moment to the next nothing leaves it any more. */
  async kill(): Promise<void> {
    const { life, nest } = this;
    life.end();
    await Promise.all([...life.clients].map((client) => this.door.cut(client)));
    whereabouts.run({ life }, () => {
      nest.getHttpServer().closeAllConnections();
      this.ending.abort(new Error('The node was killed'));
      // What it still holds in this process.
      void nest.close().catch(() => undefined);
      void this.pool.end().catch(() => undefined);
    });
  }

  /** Stops it as SIGTERM does. */
  async stop(): Promise<void> {
    this.life.isStopping = true;
    await this.pool.end();
    await this.nest.close();
  }

  /** Lets the lock go; its connection serves the next worker, unless that was lost. */
  private async endProof(proof: pg.PoolClient): Promise<void> {
    try {
      await proof.query('COMMIT');
      proof.release();
    } catch {
      await this.door.cut(proof);
      proof.release(true);
    }
  }

  /** Takes the lock by which other nodes know that a worker lives. */
  private async proveAlive(workerId: string): Promise<pg.PoolClient> {
    const client = await this.pool.connect();
    try {
      await client.query(beginLiveness);
      await client.query(lockLiveness, [[workerId]]);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }
}
