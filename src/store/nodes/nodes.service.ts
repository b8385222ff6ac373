import { hostname } from 'node:os';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { isOutage } from '../../platform/errors/database-errors.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { serviceVersion } from '../../platform/http/service-life.js';
import type { NodeEntity } from './node.entity.js';
import { NodesRepository } from './nodes.repository.js';

const tellEveryMs = 30_000;
/** A node that was silent for so long is gone. */
const silentMs = 3 * tellEveryMs;
const mostNodes = 100;

/** The processes of the service: each tells of itself twice a minute while it serves. */
@Injectable()
export class NodesService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Nodes');
  private readonly id = uuidV7();
  private readonly startedAt = new Date();
  private timer: NodeJS.Timeout | undefined;
  private telling: Promise<void> = Promise.resolve();

  constructor(private readonly repository: NodesRepository) {}

  /** Begins to tell of this node. */
  start(): void {
    this.timer ??= setInterval(() => void this.tell(), tellEveryMs).unref();
    void this.tell();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer === undefined) return;
    clearInterval(this.timer);
    await this.telling;
    await this.repository.remove(this.id).catch(() => undefined); // others see that it is silent
  }

  /** The nodes that are there, the newest first. */
  present(): Promise<NodeEntity[]> {
    return this.repository.seenSince(new Date(Date.now() - silentMs), mostNodes);
  }

  /** Tells of this node now; while the database is away, nobody is told. */
  tell(): Promise<void> {
    const state = {
      id: this.id,
      host: hostname(),
      pid: process.pid,
      version: serviceVersion,
      startedAt: this.startedAt,
    };
    this.telling = this.repository.tell(state).catch((error: Error) => {
      if (!isOutage(error)) this.logger.warn(`This node could not tell of itself: ${error.message}`);
    });
    return this.telling;
  }
}
