import { Injectable } from '@nestjs/common';
import { type Page, pageOf, startOf } from '../http/cursor.js';
import type { AuditAction, AuditSubjectType } from './audit-actions.js';
import type { AuditActor } from './audit-actor.js';
import { AuditEntriesRepository, type AuditEntryRow } from './audit-entries.repository.js';

/** The filters of a search: an entry has to match all of them. */
export interface AuditFilter {
  action?: AuditAction | undefined;
  actorId?: string | undefined;
  subjectType?: AuditSubjectType | undefined;
  subjectId?: string | undefined;
  /** Entries from `since` on, and before `until`. */
  since?: string | undefined;
  until?: string | undefined;
}

/** An entry as it is read, with the present names of people. */
export interface AuditEntry extends Pick<AuditEntryRow, 'id' | 'createdAt' | 'action' | 'changes'> {
  actor: AuditActor;
  subject: { type: AuditSubjectType; id: string; name: string | null };
  address: string | null;
  device: string | null;
  requestId: string | null;
}

interface Paging {
  size: number;
  cursor?: string | undefined;
}

/** Reads the audit logs. */
@Injectable()
export class AuditTrailService {
  constructor(private readonly repository: AuditEntriesRepository) {}

  /** A page of a log, newest first. `Invalid` for a broken cursor. */
  async list(logId: string, { size, cursor }: Paging, filter: AuditFilter): Promise<Page<AuditEntry>> {
    const subjectId = filter.subjectId?.toLowerCase();
    const rows = await this.repository.page(logId, startOf(cursor), size + 1, { ...filter, subjectId });
    return pageOf(rows, size, toEntry);
  }
}

function toEntry({ id, createdAt, action, changes, address, device, requestId, ...row }: AuditEntryRow): AuditEntry {
  return {
    id,
    createdAt,
    action,
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
    subject: { type: row.subjectType, id: row.subjectId, name: row.subjectName },
    changes,
    address,
    device,
    requestId,
  };
}
