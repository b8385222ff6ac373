import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { ChangeBus } from '../common/changes/change-bus.js';
import { isDatabaseAway, isStatementTimeout, isTransientConflict } from '../common/errors/database-errors.js';
import { BeforeAnswers } from '../common/http/before-answers.js';
import { Metrics } from '../common/http/metrics.js';
import { requestUnderWay } from '../common/http/request-under-way.js';
import { Settings } from '../config/settings.js';
import { Changes } from '../database/changes.js';
import type { Statement } from '../database/database.js';
import { DatabaseAddress } from '../connections/database-address.js';
import { traced } from '../database/traced-statement.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { writerOf } from './reader-keys.js';
import { ReplicaPositions } from './replica-positions.js';
import { PrimaryPosition, type ReadKind, Replica } from './replica.js';

const tickMs = 200;
const wroteTag = 'wrote:';

/** A read, and how it is done at the primary. */
interface Read<Row> {
  /** Whose writes it has to show: see `reader-keys.ts`. */
  key: string;
  kind: ReadKind;
  sql: Statement | string;
  values: unknown[];
  atPrimary: () => Promise<Row[]>;
}

/**
 * Runs reads at a replica of DATABASE_REPLICA_URLS, where one has all that was written for their readers, else at the
 * primary. Every 200 ms the primary and the replicas are asked how far they are: a write is at a replica once that has
 * replayed a position that the primary had after it. Without replicas, all goes to the primary and nobody is asked.
 */
@Injectable()
export class ReplicaReads implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly replicas: Replica[];
  private readonly primary: PrimaryPosition | undefined;
  private readonly positions = new ReplicaPositions();
  private inUse: Replica[] = [];
  private readonly counts = { replica: 0, primary: 0 };
  private readonly stop = new AbortController();
  private watching: Promise<void> | undefined;

  constructor(
    private readonly settings: Settings,
    address: DatabaseAddress,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: Changes,
    private readonly bus: ChangeBus,
    private readonly answers: BeforeAnswers,
    metrics: Metrics,
  ) {
    this.replicas = settings.databaseReplicaUrls.map((url) => new Replica(url, settings));
    if (this.replicas.length === 0) return;
    this.primary = new PrimaryPosition(address.directWay);
    this.listen();
    metrics.watch('database_replicas', 'Replicas of the database that are known', () => this.replicas.length, 'max');
    metrics.watch('database_replicas_in_use', 'Of those, the ones that serve reads', () => this.inUse.length, 'min');
    metrics.watch(
      'database_replica_lag_seconds',
      'How far the replica that is furthest behind is',
      () => this.lag(),
      'max',
    );
    metrics.count('database_replica_reads_total', 'Reads that a replica served', () => this.counts.replica);
    metrics.count(
      'database_primary_reads_total',
      'Reads of the same kind that the primary served',
      () => this.counts.primary,
    );
  }

  onApplicationBootstrap(): void {
    if (this.primary) this.watching = this.watch(this.primary);
  }

  async onModuleDestroy(): Promise<void> {
    if (this.stop.signal.aborted) return;
    this.stop.abort();
    await this.watching;
    await Promise.all([this.primary?.end(), ...this.replicas.map((replica) => replica.end())]);
  }

  /** The rows of a read, once: what fails for a reason of its own fails, a replica that is lost leaves it to the primary. */
  async rows<Row extends QueryResultRow>(read: Read<Row>): Promise<Row[]> {
    const replica = this.unitOfWork.client ? undefined : this.replicaFor(read.key);
    if (!replica) return this.primaryRows(read);
    try {
      const prepared = this.settings.preparedStatements !== false;
      const rows = await traced(read, () => replica.rows<Row>(read.kind, read.sql, read.values, prepared));
      this.counts.replica += 1;
      return rows;
    } catch (error) {
      const isLost = isDatabaseAway(error) && !isStatementTimeout(error);
      // A conflict: rows that the read needed were removed at the primary meanwhile.
      if (!isLost && !isTransientConflict(error)) throw error;
      if (isLost) this.inUse = this.inUse.filter((one) => one !== replica);
      return this.primaryRows(read);
    }
  }

  private primaryRows<Row>({ atPrimary }: Read<Row>): Promise<Row[]> {
    this.counts.primary += 1;
    return atPrimary();
  }

  /** The same one for the same readers, so that what they have seen stays. */
  private replicaFor(key: string): Replica | undefined {
    const able = this.inUse.filter(({ replayed }) => replayed !== null && this.positions.has(replayed, key));
    return able[key.charCodeAt(key.length - 1) % able.length];
  }

  /** Remembers writers: here, in the other workers before the writer has an answer, and on other nodes soon after. */
  private listen(): void {
    const tell = async (): Promise<void> => {
      const writer = writerOf(requestUnderWay());
      if (writer !== null) this.changes.invalidate([wroteTag + writer]);
    };
    // Before others are told of what a unit changed; and for what was written outside of any.
    this.unitOfWork.onEnd(tell);
    this.answers.add(tell);
    this.bus.onChange((cacheTags) => {
      for (const tag of cacheTags) if (tag.startsWith(wroteTag)) this.positions.wrote(tag.slice(wroteTag.length));
    });
    this.bus.onMissed(() => this.positions.wroteAll());
  }

  private async watch(primary: PrimaryPosition): Promise<void> {
    while (!this.stop.signal.aborted) {
      await this.look(primary);
      await sleep(tickMs, undefined, { signal: this.stop.signal, ref: false }).catch(() => undefined);
    }
  }

  private async look(primary: PrimaryPosition): Promise<void> {
    // One that falls silent holds up no other: it counts as it was until it is found to be away.
    await Promise.race([Promise.all(this.replicas.map((replica) => replica.look())), sleep(tickMs)]);
    // The primary is asked afterwards, so that it has all that they replayed, if it is theirs.
    const found = this.replicas.map((replica) => replica.found);
    this.positions.ask();
    const at = performance.now();
    const position = await primary.now().catch(() => null);
    if (position === null) this.positions.unanswered();
    else this.positions.answered(position, at);
    for (const [nth, replica] of this.replicas.entries()) replica.judge(found[nth] ?? null, position?.lsn ?? null);
    this.inUse = this.replicas.filter((replica) => this.lagMs(replica) <= this.settings.replicaLagSeconds * 1_000);
    const positions = this.inUse.flatMap(({ replayed }) => replayed ?? []);
    if (positions.length > 0) this.positions.forget(positions.reduce((least, one) => (one < least ? one : least)));
  }

  private lagMs({ replayed }: Replica): number {
    return replayed === null ? Infinity : this.positions.lagMs(replayed, performance.now());
  }

  private lag(): number {
    return Math.max(...this.replicas.map((replica) => this.lagMs(replica))) / 1_000;
  }
}
