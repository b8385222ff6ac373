import type { StoreEventEntity } from './store-event.entity.js';
import type { StoreEvent } from './store-events.dto.js';

/** What a body is made of. */
export type EventRow = Pick<StoreEventEntity, 'id' | 'type' | 'createdAt' | 'data' | 'customer'>;

/** An event as it is sent and shown; what is personal of a customer only to whom may read it. */
export function toStoreEvent(
  { id, type, createdAt, data, customer }: EventRow,
  { seesCustomers }: { seesCustomers: boolean },
): StoreEvent {
  const known = data['customer'] as Record<string, unknown> | undefined;
  const whole = seesCustomers && customer ? { ...data, customer: { ...known, ...customer } } : data;
  return { id, type, created_at: createdAt, data: whole };
}
