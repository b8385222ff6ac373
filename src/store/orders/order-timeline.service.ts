import { Injectable } from '@nestjs/common';
import type { AuditChange } from '../../platform/audit/audit-changes.js';
import { shopLog } from '../../platform/audit/audit-log.js';
import { type AuditEntry, AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { found } from '../../platform/errors/errors.js';
import type { OrderEvent, OrderTimeline } from './order-timeline.dto.js';
import { OrdersRepository } from './orders.repository.js';

const most = 500;

/** Tells the history of an order, and who made it. */
@Injectable()
export class OrderTimelineService {
  constructor(
    private readonly repository: OrdersRepository,
    private readonly trail: AuditTrailService,
  ) {}

  /**
   * The placing of an order and its changes since, as far as the audit log reaches back; `NotFound` if there is none.
   */
  async of(id: number): Promise<OrderTimeline> {
    const { createdAt: at, user } = found(await this.repository.placing(id), 'Order');
    const filter = { action: 'order.status_changed', subjectId: String(id) } as const;
    const { data } = await this.trail.list(shopLog, { size: most }, filter);
    const actor = { kind: 'user', id: user.id, name: user.username } as const;
    const placed: OrderEvent = { at, what: 'placed', from: null, to: 'pending', actor };
    return { events: [placed, ...data.toReversed().map(toEvent)] };
  }
}

function toEvent({ createdAt: at, changes, actor }: AuditEntry): OrderEvent {
  const { from, to } = statusesOf(changes['status']);
  return { at, what: 'status_changed', from, to, actor };
}

function statusesOf(change: AuditChange | undefined): { from: string; to: string } {
  return change !== undefined && 'to' in change
    ? { from: String(change.from), to: String(change.to) }
    : { from: '', to: '' };
}
