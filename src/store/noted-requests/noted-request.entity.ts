import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A request that failed, was slow, or was refused to a known caller; kept for a day. Not a record of who reads what. */
@Entity('noted_requests')
@Index('noted_requests_newest_idx', { synchronize: false })
@Index('noted_requests_request_idx', { synchronize: false })
@Index('noted_requests_user_idx', { synchronize: false })
export class NotedRequestEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'noted_requests_pkey' })
  id: string;

  /** When its response ended. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** Its `x-request-id`, which a caller may have used before. */
  @Column('text', { name: 'request_id' })
  requestId: string;

  @Column('text')
  method: string;

  @Column('text')
  url: string;

  @Column('text')
  route: string;

  @Column('smallint')
  status: number;

  @Column('integer')
  milliseconds: number;

  @Column('text', { nullable: true })
  code: string | null;

  /** Why it was refused, as its caller reads it. */
  @Column('text', { nullable: true })
  refusal: string | null;

  /** What went wrong inside. */
  @Column('text', { nullable: true })
  failure: string | null;

  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  @Column('uuid', { name: 'key_id', nullable: true })
  keyId: string | null;

  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  @Column('text', { nullable: true })
  address: string | null;

  @Column('text', { name: 'trace_id', nullable: true })
  traceId: string | null;
}
