import { Injectable } from '@nestjs/common';
import type { AuditChange } from '../../platform/audit/audit-changes.js';
import { shopLog } from '../../platform/audit/audit-log.js';
import { type AuditEntry, AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { found } from '../../platform/errors/errors.js';
import type { OrderActor } from './order-actor.dto.js';
import type { OrderEvent, OrderTimeline } from './order-timeline.dto.js';
import { type OrderRecord, OrdersRepository } from './orders.repository.js';

const most = 500;

/** Tells the history of an order, and who made it. */
@Injectable()
export class OrderTimelineService {
  constructor(
    private readonly repository: OrdersRepository,
    private readonly trail: AuditTrailService,
  ) {}

  /**
   * The placing of an order and all that happened to it since, changes of it as far as the audit log reaches back;
   * `NotFound` if there is none.
   */
  async of(id: number): Promise<OrderTimeline> {
    const [records, { data: entries }] = await Promise.all([
      this.repository.records(id, most),
      this.trail.list(shopLog, { size: most }, { subjectType: 'order', subjectId: String(id) }),
    ]);
    const { at, userId, userName } = found(records.pop(), 'Order');
    const actor = { kind: 'user', id: userId, name: userName } as const;
    const placed: OrderEvent = { at, what: 'placed', from: null, to: 'pending', actor };
    const events = [
      ...entries.toReversed().flatMap((entry) => changeEvents[entry.action]?.(entry) ?? []),
      ...records.toReversed().map((record) => eventOf(record, entries)),
    ];
    const inOrder = events.sort((one, other) => one.at.getTime() - other.at.getTime());
    return { events: [placed, ...inOrder.slice(-most)] };
  }
}

const trackingFields = ['carrier', 'tracking_number', 'tracking_url'];

/** The events of audit entries; notes and money have rows that say more. */
const changeEvents: Partial<Record<string, (entry: AuditEntry) => OrderEvent>> = {
  'order.status_changed': ({ createdAt: at, changes, actor }) => {
    const { from, to } = valuesOf(changes['status']);
    return { at, what: 'status_changed', from: from ?? '', to: to ?? '', actor };
  },
  'order.payment_failed': ({ createdAt: at, actor }) => ({ at, what: 'payment_failed', from: null, to: null, actor }),
  'order.tracking_changed': ({ createdAt: at, changes, actor }) => {
    const now = trackingFields.map((field) => valuesOf(changes[field]).to ?? '');
    return { at, what: 'tracking_changed', from: null, to: null, text: now.filter(Boolean).join(', ') || null, actor };
  },
  'order.mail_sent': ({ createdAt: at, changes, actor }) => {
    return { at, what: 'mail_sent', from: null, to: null, text: valuesOf(changes['mail']).to, actor };
  },
};

function eventOf(record: OrderRecord, entries: readonly AuditEntry[]): OrderEvent {
  const { at, what, amount, text } = record;
  const money = amount === null ? {} : { amount };
  return { at, what, from: null, to: null, ...money, text: text || null, actor: actorOf(record, entries) };
}

function actorOf({ id, what, userId, userName, source }: OrderRecord, entries: readonly AuditEntry[]): OrderActor {
  if (what === 'note_added') {
    return source === null ? { kind: 'user', id: userId, name: userName } : { kind: 'api_key', id: null, name: source };
  }
  // An entry about money names its payment or refund among what it changed; the first one says who began it.
  const entry = entries.findLast(({ changes }) => Object.values(changes).some((change) => valuesOf(change).to === id));
  return entry?.actor ?? { kind: 'system', id: null, name: source };
}

function valuesOf(change: AuditChange | undefined): { from: string | null; to: string | null } {
  if (change === undefined || !('to' in change)) return { from: null, to: null };
  return { from: textOf(change.from), to: textOf(change.to) };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
