import { Column, Entity, PrimaryColumn } from 'typeorm';

const primaryKeyConstraintName = 'event_batches_pkey';

/** The events of an organization that one transaction appended. TypeORM does not know the type of `arrived`, xid8. */
@Entity('event_batches', { synchronize: false })
export class EventBatchEntity {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName })
  organizationId: string;

  /** The transaction: `arrived` and `appended_at` of its events. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName })
  arrived: string;

  @PrimaryColumn({ type: 'timestamptz', name: 'appended_at', primaryKeyConstraintName })
  appendedAt: Date;

  /** Its place in the followers' order, in microseconds of the clock; null until a follower asks. */
  @Column('bigint', { nullable: true })
  number: string | null;
}
