import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Writes Nest's own messages to the service's log. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }
  error(message: unknown, stackOrContext?: string, context?: string): void {
    // It only says that it cannot listen, and throws the same error, which the start reports.
    if (context === 'NestApplication') return this.debug(message, context);
    const error = message instanceof Error ? message : undefined;
    this.logger.error({ context, err: error, stack: error ? undefined : stackOrContext }, String(message));
  }
  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }
  debug(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }
  verbose(message: unknown, context?: string): void {
    this.logger.trace({ context }, String(message));
  }
}
