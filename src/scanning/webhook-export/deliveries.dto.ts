import { CursorPaging } from '../../platform/http/cursor.js';
import {
  ArrayField,
  DateTimeField,
  EnumField,
  EnumListField,
  IntegerField,
  StringField,
  UuidField,
  UuidListField,
} from '../../platform/validation/fields.js';
import { type DeliveryStatus, deliveryStatuses } from '../../platform/delivery/delivery-statuses.js';

export class DeliveryAttempt {
  @IntegerField()
  number: number;
  @DateTimeField()
  startedAt: Date;
  @IntegerField({ nullable: true, description: 'Null while the attempt is in progress', example: 184 })
  durationMs: number | null;
  @IntegerField({ nullable: true, example: 200 })
  statusCode: number | null;
  @StringField({ nullable: true })
  error: string | null;
  @StringField({ nullable: true, description: 'The first 20,000 bytes of the response; null for all but admins' })
  response: string | null;
}

export class Delivery {
  @UuidField({ description: 'Also the webhook-id of a signed request' })
  id: string;
  @UuidField({ nullable: true, description: 'Null if the workflow was deleted' })
  workflowId: string | null;
  @UuidField()
  runId: string;
  @StringField({
    description:
      'The complete address for admins; origin and path for everybody else. Masked for notifications, as those of ' +
      'chats are secrets',
    example: 'https://hooks.example.com/scans',
  })
  url: string;
  @EnumField(deliveryStatuses)
  status: DeliveryStatus;
  @IntegerField({ example: 20480 })
  payloadBytes: number;
  @IntegerField({ optional: true, description: 'Which part of a payload it is, from 1, where it is not the whole' })
  part?: number;
  @IntegerField({ optional: true, description: 'The number of parts' })
  of?: number;
  @DateTimeField()
  createdAt: Date;
  @DateTimeField({ nullable: true })
  nextAttemptAt: Date | null;
  @IntegerField({ description: 'The number of attempts, including those of replays' })
  attemptCount: number;
  @ArrayField(() => DeliveryAttempt, { description: 'The newest 50, oldest first' })
  attempts: DeliveryAttempt[];
}

export class DeliveryPage {
  @ArrayField(() => Delivery)
  data: Delivery[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

export class DeliveryFilter extends CursorPaging {
  @EnumListField(deliveryStatuses, { optional: true, maxItems: 100 })
  status?: DeliveryStatus[];
  @DateTimeField({ optional: true, description: 'Created at this time or later' })
  since?: string;
  @DateTimeField({ optional: true, description: 'Created before this time' })
  until?: string;
}

export class DeliveryList extends DeliveryFilter {
  @UuidListField({ optional: true, maxItems: 100 })
  workflowIds?: string[];
}

export const replayableStatuses = ['EXHAUSTED', 'CANCELED'] as const;

export class ReplaySince {
  @DateTimeField({ description: 'Deliveries that ended at this time or later; at most 14 days ago' })
  since: string;
  @EnumListField(replayableStatuses, { default: ['EXHAUSTED'], minItems: 1, maxItems: 2 })
  statuses: (typeof replayableStatuses)[number][];
}

export class Replayed {
  @IntegerField({ description: 'The number of deliveries that are sent again', example: 3 })
  replayed: number;
}
