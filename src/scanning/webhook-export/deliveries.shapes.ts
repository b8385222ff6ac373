import {
  ArrayField,
  DateTimeField,
  EnumField,
  IntegerField,
  StringField,
  UuidField,
} from '../../common/validation/fields.js';

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'RETRYING', 'EXHAUSTED', 'CANCELED'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export class DeliveryAttempt {
  @IntegerField()
  number: number;
  @DateTimeField()
  startedAt: Date;
  @IntegerField({ nullable: true, description: 'Null while the attempt is under way' })
  durationMs: number | null;
  @IntegerField({ nullable: true })
  statusCode: number | null;
  @StringField({ nullable: true })
  error: string | null;
  @StringField({ nullable: true, description: 'The first 20,000 bytes of the answer' })
  response: string | null;
}

export class Delivery {
  @UuidField({ description: 'Also the webhook-id of a signed request' })
  id: string;
  @UuidField()
  runId: string;
  @StringField()
  url: string;
  @EnumField(deliveryStatuses)
  status: DeliveryStatus;
  @IntegerField()
  payloadBytes: number;
  @DateTimeField()
  createdAt: Date;
  @DateTimeField({ nullable: true })
  nextAttemptAt: Date | null;
  @ArrayField(() => DeliveryAttempt)
  attempts: DeliveryAttempt[];
}

export class DeliveryPage {
  @ArrayField(() => Delivery)
  data: Delivery[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

export class ReplaySince {
  @DateTimeField({ description: 'At most 14 days ago' })
  since: string;
}

export class Replayed {
  @IntegerField({ description: 'How many deliveries are sent again' })
  replayed: number;
}
