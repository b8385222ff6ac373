import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** How long a request in hand may go on. */
const patienceMs = 2_000;
const lookMs = 5;

/** Holds requests back while the data are replaced under the service. */
@Injectable()
export class HeldRequests implements NestMiddleware {
  private readonly open = new Set<Response>();
  private closed: Promise<void> | undefined;

  async use(_request: Request, response: Response, next: NextFunction): Promise<void> {
    while (this.closed) await this.closed;
    this.open.add(response);
    response.once('close', () => this.open.delete(response));
    next();
  }

  /** Runs `work` while no request is in hand: streams and what takes too long are cut off. */
  async whileHeld<T>(work: () => Promise<T>): Promise<T> {
    let reopen: () => void = () => undefined;
    this.closed = new Promise((resolve) => (reopen = resolve));
    try {
      for (let waitedMs = 0; this.hasWork() && waitedMs < patienceMs; waitedMs += lookMs) await sleep(lookMs);
      for (const response of this.open) response.destroy();
      return await work();
    } finally {
      this.closed = undefined;
      reopen();
    }
  }

  /** A stream has no end to wait for. */
  private hasWork(): boolean {
    return [...this.open].some(
      (response) =>
        !(response.headersSent && String(response.getHeader('content-type')).startsWith('text/event-stream')),
    );
  }
}
