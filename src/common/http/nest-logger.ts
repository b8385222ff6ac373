import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Leads what Nest itself logs into the service's log. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }
  error(message: unknown, stackOrContext?: string, context?: string): void {
    // All it says here is that it cannot listen, and it throws the same, to whoever can say what to do.
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
