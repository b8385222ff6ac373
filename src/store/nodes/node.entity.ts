import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SlowStatement } from '../../database/slow-statements.js';

/** A process of the service, as it last told of itself. */
@Entity('nodes')
export class NodeEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'nodes_pkey' })
  id: string;

  @Column('text')
  host: string;

  @Column('integer')
  pid: number;

  @Column('text')
  version: string;

  @Column({ type: 'timestamptz', name: 'started_at', precision: 3 })
  startedAt: Date;

  @Column({ type: 'timestamptz', name: 'seen_at', precision: 3, default: () => 'now()' })
  seenAt: Date;

  /** Of the last hour. */
  @Column('jsonb', { name: 'slow_statements' })
  slowStatements: SlowStatement[];
}
