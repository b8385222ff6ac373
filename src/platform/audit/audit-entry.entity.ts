import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuditAction, AuditSubjectType } from './audit-actions.js';
import type { AuditChanges } from './audit-changes.js';
import type { AuditActorKind } from './audit-actor.js';

/** An entry of the audit log, final. TypeORM cannot describe a partitioned table, so it leaves this one alone. */
@Entity('audit_entries', { synchronize: false })
export class AuditEntryEntity {
  /** The organization whose log it is in, or `shopLog`. */
  @PrimaryColumn('uuid', { name: 'log_id', primaryKeyConstraintName: 'audit_entries_pkey' })
  logId: string;

  /** Decides the partition: each month has its own. */
  @PrimaryColumn({
    type: 'timestamptz',
    name: 'created_at',
    precision: 3,
    primaryKeyConstraintName: 'audit_entries_pkey',
  })
  createdAt: Date;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'audit_entries_pkey' })
  id: string;

  @Column('text')
  action: AuditAction;

  @Column('text', { name: 'actor_kind' })
  actorKind: AuditActorKind;

  @Column('uuid', { name: 'actor_id', nullable: true })
  actorId: string | null;

  /** Of an API key; people's names are looked up, so that they go with the account. */
  @Column('text', { name: 'actor_name', nullable: true })
  actorName: string | null;

  @Column('text', { name: 'subject_type' })
  subjectType: AuditSubjectType;

  @Column('text', { name: 'subject_id' })
  subjectId: string;

  /** Null for people, as `actorName`. */
  @Column('text', { name: 'subject_name', nullable: true })
  subjectName: string | null;

  @Column('jsonb')
  changes: AuditChanges;

  @Column('text', { nullable: true })
  address: string | null;

  /** In words, such as Firefox on Linux. */
  @Column('text', { nullable: true })
  device: string | null;

  @Column('text', { name: 'request_id', nullable: true })
  requestId: string | null;
}
