import { Column, Entity, PrimaryColumn } from 'typeorm';

const primaryKeyConstraintName = 'event_batches_pkey';

/** What one transaction appended to the events of an organization. TypeORM does not know the type of `arrived`, xid8. */
@Entity('event_batches', { synchronize: false })
export class EventBatchEntity {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName })
  organizationId: string;

  /** The transaction: `arrived` and `appended_at` of its events. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName })
  arrived: string;

  @PrimaryColumn({ type: 'timestamptz', name: 'appended_at', primaryKeyConstraintName })
  appendedAt: Date;

  /** Its place among those that followers see, in microseconds of the clock; null until one asks. */
  @Column('bigint', { nullable: true })
  number: string | null;
}
