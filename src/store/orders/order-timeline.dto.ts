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
  @StringField({ nullable: true, description: 'The status before; null where it was placed', example: 'paid' })
  from: string | null;
  @StringField({ description: 'The status from then on', example: 'shipped' })
  to: string;
  @ObjectField(() => OrderActor)
  actor: OrderActor;
}

export class OrderTimeline {
  @ArrayField(() => OrderEvent, { description: 'Oldest first: how it was placed, then its latest 500 changes' })
  events: OrderEvent[];
}
