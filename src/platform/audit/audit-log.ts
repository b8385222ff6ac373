import { Injectable } from '@nestjs/common';
import { uuidV7At } from '../crypto/uuid-v7.js';
import { currentRequest } from '../http/current-request.js';
import { recordedAddressOf } from '../net/caller-address.js';
import { nameOfDevice } from '../net/device-name.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { type AuditAction, auditActions } from './audit-actions.js';
import { actorOf, type AuditActor } from './audit-actor.js';
import type { AuditChanges } from './audit-changes.js';
import { AuditEntriesRepository } from './audit-entries.repository.js';
import { AuditPartitionsService } from './audit-partitions.service.js';
import { SecurityLog } from './security-log.js';

/** The log of the shop, beside those of the organizations. */
export const shopLog = '00000000-0000-0000-0000-000000000000';

/** The subject of attempts at an account that does not exist (RFC 9562, section 5.9). */
export const nobody = '00000000-0000-0000-0000-000000000000';

const mostInAMillisecond = 2 ** 26;

/** The act to record. */
export interface AuditRecord {
  action: AuditAction;
  /** The log for it; the shop's by default. */
  organizationId?: string;
  /** The subject and its name; never the name of a person. */
  subject: { id: string | number; name?: string | null };
  /** The changes; without any, there is nothing to record. */
  changes?: AuditChanges;
  /** The actor, if it is not the caller of the request. */
  actor?: AuditActor;
}

/**
 * The audit log: who did what to whom, when and from where. Entries are written in the transaction of the change, so that
 * neither exists without the other. They hold no secrets, and only the ids of people, with the address and device of the request.
 *
 * It is also the one door for security events (`security-events.ts`): each is written to the log once its unit of work is committed. Events that anybody can cause repeatedly become entries only up to a limit.
 */
@Injectable()
export class AuditLog {
  private count = 0;

  constructor(
    private readonly repository: AuditEntriesRepository,
    private readonly partitions: AuditPartitionsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly security: SecurityLog,
  ) {}

  /** Records acts in the current unit of work, with one statement for any number. */
  async record(...records: AuditRecord[]): Promise<void> {
    const rows = await this.rowsOf(records);
    if (rows !== null) await this.repository.append(rows);
  }

  /** Acts as rows for `append`; null if there is nothing to record. */
  private async rowsOf(records: readonly AuditRecord[]): Promise<string | null> {
    if (!this.unitOfWork.client) throw new Error('An audit entry must be written in the unit of work of its change');
    const real = records.filter(({ changes }) => changes === undefined || Object.keys(changes).length > 0);
    if (real.length === 0) return null;
    const now = new Date();
    const all = real.map((record) => this.rowOf(record, now));
    const rows = all.filter(({ action, subject_id }) => this.security.hasRoom(action, subject_id));
    this.unitOfWork.afterCommit(() => all.forEach((row) => this.security.write(row, rows.includes(row))));
    if (rows.length === 0) return null;
    await this.partitions.prepare(now);
    return JSON.stringify(rows);
  }

  private rowOf({ action, organizationId, subject, changes = {}, actor }: AuditRecord, now: Date) {
    const underWay = currentRequest();
    const { kind, id, name } = actor ?? actorOf(underWay);
    this.count = (this.count + 1) % mostInAMillisecond;
    return {
      id: uuidV7At(now, this.count),
      created_at: now,
      log_id: organizationId ?? shopLog,
      action,
      actor_kind: kind,
      actor_id: id,
      actor_name: name,
      subject_type: auditActions[action],
      subject_id: String(subject.id).toLowerCase(),
      subject_name: subject.name ?? null,
      changes,
      address: underWay ? recordedAddressOf(underWay.request.ip) : null,
      device: underWay ? nameOfDevice(underWay.request.headers['user-agent']) : null,
      request_id: underWay?.requestId ?? null,
    };
  }
}
