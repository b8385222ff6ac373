import type { Server, ServerResponse } from 'node:http';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { ServiceLife } from '../platform/http/service-life.js';
import { stopTracing } from '../platform/tracing/start-tracing.js';
import { Settings } from '../config/settings.js';

const patienceMs = 25_000;
const lookAgainMs = 25;
/** After two seconds without requests, the load balancer must have seen that this node is not ready. */
const quietLooks = 2_000 / lookAgainMs;
/** Ten seconds at most: clients that bypass the load balancer never stop sending. */
const mostLooks = 10_000 / lookAgainMs;

/** Tracks the requests in flight, so that a stop closes their connections after their answers and not before. */
export class RequestsInFlight {
  private readonly open = new Set<ServerResponse>();
  private closing = false;
  private arrived = 0;

  constructor(private readonly server: Server) {
    const { open } = this;
    function forget(this: ServerResponse): void {
      open.delete(this);
    }
    server.prependListener('request', (request, response) => {
      open.add(response);
      // Health checks do not count: a load balancer never stops sending them.
      if (!request.url?.startsWith('/health')) this.arrived += 1;
      if (this.closing) response.setHeader('Connection', 'close');
      response.on('close', forget);
    });
  }

  /** Closes each connection after its next answer; still takes new ones. */
  leaveConnections(): void {
    this.closing = true;
    for (const response of this.open) if (!response.headersSent) response.setHeader('Connection', 'close');
  }

  /**
   * Returns when no requests arrive any more, after about ten seconds at most. It counts checks rather than time, since
   * waiting requests are read between two checks: a process that was blocked for two seconds cannot tell whether
   * requests arrived.
   */
  async quiet(): Promise<void> {
    for (let looks = 0, quiet = 0; looks < mostLooks && quiet < quietLooks; looks++) {
      const { arrived } = this;
      await sleep(lookAgainMs);
      quiet = this.arrived === arrived ? quiet + 1 : 0;
    }
  }

  /** Stops taking connections, lets every request in flight finish, and cuts off those that take longer than 25 s. */
  async finish(): Promise<void> {
    this.leaveConnections();
    this.server.close();
    const deadline = Date.now() + patienceMs;
    while (this.open.size > 0 && Date.now() < deadline) {
      await sleep(lookAgainMs);
      this.server.closeIdleConnections();
    }
    this.server.closeAllConnections();
  }
}

/**
 * Continues to serve until the load balancer sends nothing more: for the set time, or longer if requests still arrive.
 */
export async function drain(answers: RequestsInFlight, seconds: number): Promise<void> {
  answers.leaveConnections();
  if (seconds === 0) return;
  await sleep(seconds * 1_000);
  await answers.quiet();
}

/**
 * Ends the application on SIGTERM or SIGINT: it cuts off no request in flight, and leaves nothing running. After
 * SIGTERM it serves for `DRAIN_SECONDS` more, so that a load balancer can see that it is not ready and stop sending
 * requests: a connection that arrives at the moment of the close gets no response.
 */
export function stopOnSignal(app: NestExpressApplication, logger: Logger, stopDatabase: () => Promise<void>): void {
  const answers = new RequestsInFlight(app.getHttpServer());
  const { drainSeconds } = app.get(Settings);
  onStopSignal(logger, async (signal) => {
    app.get(ServiceLife).stop();
    await drain(answers, signal === 'SIGTERM' ? drainSeconds : 0);
    await answers.finish();
    await app.close();
    await stopTracing();
    await stopDatabase();
  });
}

/** The result of `work` at the start; undefined if it failed because the application was told to stop meanwhile. */
export async function unlessStopping<T>(app: NestExpressApplication, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (app.get(ServiceLife).stopping) return undefined;
    throw error;
  }
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** What shells add to the number of a signal that ended a process. */
const exitBase = 128;

function end(signal: NodeJS.Signals): void {
  process.exit(exitBase + constants.signals[signal]);
}

/**
 * Ends the process on a signal until the application can handle signals itself. The first process of a container,
 * unlike others, ignores signals that have no listener (kill(2)), also while it waits for the database or migrates.
 */
export function endOnSignal(): void {
  for (const signal of signals) process.on(signal, end);
}

/** Ends the process on a signal, after `work`, which runs once. */
function onStopSignal(logger: Logger, work: (signal: NodeJS.Signals) => Promise<void>): void {
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'stopping');
    try {
      await work(signal);
      logger.info('stopped');
      process.exit(0);
    } catch (error) {
      logger.error({ err: error }, 'the stop failed');
      process.exit(1);
    }
  };
  for (const signal of signals) {
    process.off(signal, end);
    process.on(signal, (received) => void stop(received));
  }
}
