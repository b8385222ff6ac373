import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AttachmentType, EventLevel, EventStage } from '../vocabulary.js';
import type { EventAttachment } from './scan-events.dto.js';

/** An event of a scan. TypeORM cannot describe a partitioned table, so it leaves this one alone. */
@Entity('scan_events', { synchronize: false })
export class ScanEventEntity {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'scan_events_pkey' })
  organizationId: string;

  /** Decides the partition: each month has its own. */
  @PrimaryColumn({
    type: 'timestamptz',
    name: 'created_at',
    precision: 3,
    primaryKeyConstraintName: 'scan_events_pkey',
  })
  createdAt: Date;

  /** A UUID of version 7, which carries `createdAt`. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'scan_events_pkey' })
  id: string;

  @Column('uuid', { name: 'scan_id' })
  scanId: string;

  @Column('uuid', { name: 'profile_id' })
  profileId: string;

  @Column('text')
  level: EventLevel;

  @Column('text')
  stage: EventStage;

  @Column('text')
  title: string;

  @Column('text')
  description: string;

  @Column('uuid', { name: 'asset_ids', array: true })
  assetIds: string[];

  @Column('uuid', { name: 'issue_ids', array: true })
  issueIds: string[];

  @Column('json')
  attachments: EventAttachment[];

  /** The distinct types of `attachments`, for indexes. */
  @Column('text', { name: 'attachment_types', array: true })
  attachmentTypes: AttachmentType[];

  /** The text of `attachments`, for searches. */
  @Column('text', { name: 'attachment_text' })
  attachmentText: string;

  /** The transaction that wrote the event: an xid8, a type that TypeORM does not know. */
  @Column({ type: 'bigint', insert: false, update: false })
  arrived: string;

  /** When that transaction began: the two together name it forever. */
  @Column({ type: 'timestamptz', name: 'appended_at', insert: false, update: false })
  appendedAt: Date;
}
