import { type DeliveryStatus, deliveryStatuses, replayDays } from '../../platform/delivery/delivery-statuses.js';
import { CursorPaging } from '../../platform/http/cursor.js';
import { demo } from '../../platform/openapi/demo-values.js';
import {
  ArrayField,
  DateTimeField,
  EnumField,
  EnumListField,
  IntegerField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { type StoreEventType, storeEventTypes } from '../events/store-event-types.js';

export class WebhookAttempt {
  @IntegerField()
  number: number;
  @DateTimeField()
  started_at: Date;
  @IntegerField({ nullable: true, description: 'Null while the attempt is in progress', example: 184 })
  duration_ms: number | null;
  @IntegerField({ nullable: true, example: 200 })
  status_code: number | null;
  @StringField({ nullable: true })
  error: string | null;
  @StringField({ nullable: true, description: 'The first 20,000 bytes of the response' })
  response: string | null;
}

export class WebhookDelivery {
  @UuidField()
  id: string;
  @UuidField({ description: 'Also the `webhook-id` of its requests' })
  event_id: string;
  @EnumField(storeEventTypes, { example: 'order.paid' })
  type: StoreEventType;
  @StringField({ example: 'https://erp.example.com/hooks/shop' })
  url: string;
  @EnumField(deliveryStatuses)
  status: DeliveryStatus;
  @IntegerField({ example: 812 })
  payload_bytes: number;
  @DateTimeField()
  created_at: Date;
  @DateTimeField({ nullable: true })
  next_attempt_at: Date | null;
  @IntegerField({ description: 'The number of attempts, including those of replays' })
  attempt_count: number;
  @ArrayField(() => WebhookAttempt, { description: 'The newest 50, oldest first' })
  attempts: WebhookAttempt[];
}

export class WebhookDeliveryPage {
  @ArrayField(() => WebhookDelivery)
  data: WebhookDelivery[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

export class WebhookDeliveryFilter extends CursorPaging {
  @EnumListField(deliveryStatuses, { optional: true, maxItems: 100 })
  status?: DeliveryStatus[];
  @DateTimeField({ optional: true, description: 'Created at this time or later' })
  since?: string;
  @DateTimeField({ optional: true, description: 'Created before this time' })
  until?: string;
}

export const replayableStatuses = ['EXHAUSTED', 'CANCELED'] as const;

export class WebhookReplay {
  @DateTimeField({ description: `Deliveries that ended at this time or later; at most ${replayDays} days ago` })
  since: string;
  @EnumListField(replayableStatuses, { default: ['EXHAUSTED'], minItems: 1, maxItems: 2 })
  statuses: (typeof replayableStatuses)[number][];
}

export class ReplayedWebhook {
  @IntegerField({ description: 'The number of deliveries that are sent again', example: 3 })
  replayed: number;
}

export class WebhookDeliveryPath {
  @UuidField({ example: demo('webhook') })
  id: string;
  @UuidField({ example: demo('webhookDelivery') })
  delivery_id: string;
}
