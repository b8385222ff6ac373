import { Injectable } from '@nestjs/common';
import { shopLog } from '../../platform/audit/audit-log.js';
import { type AuditEntry, AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import type { ShopAuditEntry, ShopAuditPage, ShopAuditQuery } from './admin-audit.dto.js';

/** The audit log of the shop. */
@Injectable()
export class ShopAuditService {
  constructor(private readonly trail: AuditTrailService) {}

  /** A page of the log, newest first. `Invalid` for a broken cursor. */
  async list({ size, cursor, ...asked }: ShopAuditQuery): Promise<ShopAuditPage> {
    const { actor_id: actorId, subject_type: subjectType, subject_id: subjectId, ...same } = asked;
    const filter = { ...same, actorId, subjectType, subjectId };
    const { data, nextCursor } = await this.trail.list(shopLog, { size, cursor }, filter);
    return { data: data.map(toShopEntry), next_cursor: nextCursor };
  }
}

function toShopEntry({ createdAt: created_at, requestId: request_id, ...same }: AuditEntry): ShopAuditEntry {
  return { ...same, created_at, request_id };
}
