import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { ServiceLife } from './common/http/service-life.js';
import { stopTracing } from './common/tracing/start-tracing.js';
import { Settings } from './config/settings.js';

const patienceMs = 25_000;
const lookAgainMs = 25;

/** Tracks the requests in flight, so that a stop closes their connections after their answers and not before. */
export class AnswersUnderWay {
  private readonly open = new Set<ServerResponse>();
  private closing = false;

  constructor(private readonly server: Server) {
    const { open } = this;
    function forget(this: ServerResponse): void {
      open.delete(this);
    }
    server.prependListener('request', (_request, response) => {
      open.add(response);
      if (this.closing) response.setHeader('Connection', 'close');
      response.on('close', forget);
    });
  }

  /** Closes each connection after its next answer; still takes new ones. */
  leaveConnections(): void {
    this.closing = true;
    for (const response of this.open) if (!response.headersSent) response.setHeader('Connection', 'close');
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
 * Ends the application on SIGTERM or SIGINT: it cuts off no request in flight, and leaves nothing running. After SIGTERM it
 * serves for `DRAIN_SECONDS` more, in which a load balancer sees that it is not ready and sends no more here: nobody answers
 * a connection that comes in the moment of the close.
 */
export function stopOnSignal(app: NestExpressApplication, logger: Logger, stopDatabase: () => Promise<void>): void {
  const answers = new AnswersUnderWay(app.getHttpServer());
  const { drainSeconds } = app.get(Settings);
  onStopSignal(logger, async (signal) => {
    app.get(ServiceLife).stop();
    answers.leaveConnections();
    if (signal === 'SIGTERM') await sleep(drainSeconds * 1_000);
    await answers.finish();
    await app.close();
    await stopTracing();
    await stopDatabase();
  });
}

/** The result of `work` at the start; undefined where it failed because the application was told to stop meanwhile. */
export async function unlessStopping<T>(app: NestExpressApplication, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (app.get(ServiceLife).stopping) return undefined;
    throw error;
  }
}

/** Ends the process on SIGTERM or SIGINT, after `work`. */
export function onStopSignal(logger: Logger, work: (signal: NodeJS.Signals) => Promise<void>): void {
  let stopping: Promise<void> | undefined;
  const stop = (signal: NodeJS.Signals): Promise<void> => {
    if (!stopping) logger.info({ signal }, 'stopping');
    stopping ??= work(signal).then(() => logger.info('stopped'));
    return stopping;
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stop(signal).then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'the stop failed');
          process.exit(1);
        },
      );
    });
  }
}
