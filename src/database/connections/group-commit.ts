import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { QueryResult, QueryResultRow } from 'pg';
import { Settings } from '../../config/settings.js';
import { DatabaseAddress } from './database-address.js';
import { sharedConnections } from './pipelines.js';
import { type SharedWrite, type WaitingWrite, WritePipeline } from './write-pipeline.js';

/** Transactions in flight on one connection: PostgreSQL runs the first, and finds the second when it is done. */
const mostAtOnce = 2;
const mostPerTransaction = 16;
const mostWaiting = 64;

/**
 * Commits short writes of simultaneous requests together, which saves each its own round trip and its own wait for the
 * disk. They stay independent: if one of them fails or has to wait for a lock, nothing is written, and each runs alone.
 */
@Injectable()
export class GroupCommit implements OnModuleDestroy {
  private readonly pipelines: WritePipeline[];
  private readonly waiting: WaitingWrite[] = [];
  private underWay = 0;
  private isPlanned = false;
  private closed = false;

  constructor(address: DatabaseAddress, settings: Settings) {
    const count = sharedConnections(address, settings);
    const patienceMs = settings.databasePatienceSeconds * 1_000;
    this.pipelines = Array.from({ length: count }, () => new WritePipeline(address.url, patienceMs));
  }

  async onModuleDestroy(): Promise<void> {
    this.closed = true;
    this.leaveToThemselves();
    await Promise.all(this.pipelines.map((pipeline) => pipeline.close()));
  }

  /**
   * The result of a write, committed. `alone` runs the same statement on its own connection: if no other write is in
   * progress, if no connection is free or open, or if the common transaction was rolled back. Rejects with the errors
   * of `alone`, or if the outcome of a common transaction is unknown.
   */
  async write<Row extends QueryResultRow>(
    write: SharedWrite,
    alone: () => Promise<QueryResult<Row>>,
  ): Promise<QueryResult<Row>> {
    this.underWay += 1;
    try {
      return (this.underWay > 1 && (await this.together<Row>(write))) || (await alone());
    } finally {
      this.underWay -= 1;
    }
  }

  private together<Row extends QueryResultRow>(write: SharedWrite): Promise<QueryResult<Row> | null> | null {
    if (this.closed || this.waiting.length >= mostWaiting) return null;
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...write, resolve: resolve as WaitingWrite['resolve'], reject });
      this.plan();
    });
  }

  /** Sends once all requests that have arrived by now have been read. */
  private plan(): void {
    if (this.isPlanned || this.waiting.length === 0) return;
    this.isPlanned = true;
    setImmediate(() => {
      this.isPlanned = false;
      this.send();
    });
  }

  private send(): void {
    while (this.waiting.length > 0) {
      const pipeline = this.leastBusy();
      if (!pipeline) return this.leaveToThemselves();
      if (pipeline.depth >= mostAtOnce) return;
      void pipeline.run(this.waiting.splice(0, mostPerTransaction)).then(() => this.plan());
    }
  }

  /** The open connection with the fewest transactions in flight. If all are busy, one more is opened for later. */
  private leastBusy(): WritePipeline | undefined {
    const open = this.pipelines.filter((pipeline) => pipeline.isOpen);
    if (open.every((pipeline) => pipeline.depth > 0)) this.pipelines.find((pipeline) => !pipeline.isOpen)?.open();
    return open.reduce<WritePipeline | undefined>(
      (best, pipeline) => (best && best.depth <= pipeline.depth ? best : pipeline),
      undefined,
    );
  }

  private leaveToThemselves(): void {
    for (const write of this.waiting.splice(0)) write.resolve(null);
  }
}
