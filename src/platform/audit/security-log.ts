import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { serviceLogger } from '../http/request-log.js';
import type { AuditAction, AuditSubjectType } from './audit-actions.js';
import type { AuditActorKind } from './audit-actor.js';
import type { AuditChanges } from './audit-changes.js';
import { securityEvents } from './security-events.js';

/** The facts of an entry that its line in the log repeats. */
export interface LoggedEntry {
  action: AuditAction;
  log_id: string;
  actor_kind: AuditActorKind;
  actor_id: string | null;
  subject_type: AuditSubjectType;
  subject_id: string;
  changes: AuditChanges;
  address: string | null;
  device: string | null;
  request_id: string | null;
}

const hourMs = 3_600_000;
/**
 * How many entries of one kind about one account a node makes in an hour, for events that somebody can cause
 * repeatedly.
 */
const mostOfOne = 100;
/** How many entries about failed attempts a node makes in an hour. */
const mostFailures = 1_000;
const mostCounters = 10_000;

/** The stream `security` of the service's log, and the bound on what its events leave in the audit log. */
@Injectable()
export class SecurityLog {
  private readonly logger: Logger;
  private readonly counts = new LRUCache<string, { count: number }>({ max: mostCounters, ttl: hourMs });

  constructor(@Inject(serviceLogger) logger: Logger) {
    // With LOG_LEVEL=warn, which silences the lines of requests, logins are still logged.
    const level = logger.level === 'silent' ? 'silent' : 'info';
    this.logger = logger.child({ stream: 'security' }, { level });
  }

  /** Counts an entry of this kind about this subject; returns whether the audit log has room for it. */
  hasRoom(action: AuditAction, subjectId: string): boolean {
    const { repeats } = securityEvents[action] ?? {};
    if (repeats === undefined) return true;
    const hasRoom = this.take(`${action} ${subjectId}`, mostOfOne);
    return repeats === 'own' ? hasRoom : hasRoom && this.take('failures', mostFailures);
  }

  /** Writes the line of an entry whose action is a security event; of another action, nothing. */
  write(entry: LoggedEntry, audited: boolean): void {
    const { action, log_id, actor_kind, actor_id, subject_type, subject_id, changes, address, device } = entry;
    const event = securityEvents[action];
    if (!event) return;
    const isAboutUser = subject_type === 'user' || subject_type === 'member';
    const line = {
      event: action,
      account: isAboutUser ? subject_id : actor_id,
      address,
      device,
      reqId: entry.request_id,
      actor: { kind: actor_kind, id: actor_id },
      ...(isAboutUser ? {} : { subject: { type: subject_type, id: subject_id } }),
      log: log_id,
      changes,
      audited,
    };
    this.logger[event.level](line, 'security event');
  }

  private take(key: string, most: number): boolean {
    const counter = this.counts.get(key) ?? { count: 0 };
    if (counter.count === 0) this.counts.set(key, counter);
    if (counter.count >= most) return false;
    counter.count += 1;
    return true;
  }
}
