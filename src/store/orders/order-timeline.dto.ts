import {
  ArrayField,
  DateTimeField,
  EnumField,
  NumberField,
  ObjectField,
  StringField,
} from '../../platform/validation/fields.js';
import { OrderActor } from './order-actor.dto.js';

const orderEvents = [
  'placed',
  'status_changed',
  'payment_received',
  'payment_failed',
  'refund_pending',
  'refunded',
  'refund_failed',
  'tracking_changed',
  'note_added',
  'mail_sent',
] as const;
export type OrderEventKind = (typeof orderEvents)[number];

/** One event in the history of an order. */
export class OrderEvent {
  @DateTimeField()
  at: Date;
  @EnumField(orderEvents)
  what: OrderEventKind;
  @StringField({ nullable: true, description: 'The previous status; null without one', example: 'paid' })
  from: string | null;
  @StringField({ nullable: true, description: 'The new status; null where it is not about one', example: 'shipped' })
  to: string | null;
  @NumberField({ optional: true, description: 'The money that came or went', example: 95.81 })
  amount?: number;
  @StringField({
    optional: true,
    nullable: true,
    description:
      'The note; the method and reference of a payment; the reason of a refund, or why it failed; carrier, number ' +
      'and address of the tracking; which mail',
    example: 'DHL, 00340434161094015902',
  })
  text?: string | null;
  @ObjectField(() => OrderActor)
  actor: OrderActor;
}

export class OrderTimeline {
  @ArrayField(() => OrderEvent, { description: 'Oldest first: the placement, then the latest 500 events' })
  events: OrderEvent[];
}
