import { type AuditActorKind, auditActorKinds } from '../../platform/audit/audit-actor.js';
import {
  ArrayField,
  DateTimeField,
  EnumField,
  ObjectField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';

const orderEvents = ['placed', 'status_changed'] as const;

/** Whoever did something to an order. */
export class OrderActor {
  @EnumField(auditActorKinds)
  kind: AuditActorKind;
  @UuidField({ nullable: true })
  id: string | null;
  @StringField({ nullable: true, description: 'null once the account is gone', example: 'admin' })
  name: string | null;
}

/** One event in the history of an order. */
export class OrderEvent {
  @DateTimeField()
  at: Date;
  @EnumField(orderEvents)
  what: (typeof orderEvents)[number];
  @StringField({ nullable: true, description: 'The previous status; null for the placement', example: 'paid' })
  from: string | null;
  @StringField({ description: 'The new status', example: 'shipped' })
  to: string;
  @ObjectField(() => OrderActor)
  actor: OrderActor;
}

export class OrderTimeline {
  @ArrayField(() => OrderEvent, { description: 'Oldest first: the placement, then the latest 500 changes' })
  events: OrderEvent[];
}
