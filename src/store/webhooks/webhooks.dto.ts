import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  EnumListField,
  IntegerField,
  ObjectField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { type StoreEventType, storeEventTypes } from '../events/store-event-types.js';
import { StoreEvent } from '../events/store-events.dto.js';

const urlBounds = { minLength: 1, maxLength: 2_048, secret: true, example: 'https://erp.example.com/hooks/shop' };
const secretBounds = { maxLength: 200, secret: true, blank: 'none' } as const;
const eventBounds = { minItems: 1, maxItems: storeEventTypes.length, example: ['order.paid', 'stock.low'] };
const customerData =
  'Whether events have the names, e-mails and addresses of customers; without it, only the ids of their accounts';
const dayInSeconds = 86_400;

export class WebhookCreate {
  @StringField(urlBounds)
  url: string;
  @EnumListField(storeEventTypes, eventBounds)
  events: StoreEventType[];
  @StringField({
    ...secretBounds,
    optional: true,
    nullable: 'ignored',
    description:
      'Signs what is sent (Standard Webhooks): whsec_ and the base64 of 24 to 64 random bytes; made if omitted',
  })
  secret?: string;
  @BooleanField({ default: false, description: customerData })
  customer_data: boolean;
  @BooleanField({ default: true })
  enabled: boolean;
}

export class WebhookUpdate {
  @StringField({ ...urlBounds, optional: true, nullable: 'ignored' })
  url?: string;
  @EnumListField(storeEventTypes, { ...eventBounds, optional: true, nullable: 'ignored' })
  events?: StoreEventType[];
  @BooleanField({ optional: true, nullable: 'ignored', description: customerData })
  customer_data?: boolean;
  @BooleanField({ optional: true, nullable: 'ignored' })
  enabled?: boolean;
}

/** A receiver of events of the shop, with its secret masked. */
export class Webhook {
  @UuidField()
  id: string;
  @StringField({ example: 'https://erp.example.com/hooks/shop' })
  url: string;
  @EnumListField(storeEventTypes)
  events: StoreEventType[];
  @StringField({ description: 'Masked, but in the response that made it', example: '••••c2U=' })
  secret: string;
  @DateTimeField({ nullable: true, description: 'Until when the secret before the last rotation also signs' })
  previous_secret_expires_at: Date | null;
  @BooleanField({ description: customerData })
  customer_data: boolean;
  @BooleanField()
  enabled: boolean;
  @StringField({ nullable: true, description: 'Why the service disabled it' })
  disabled_reason: string | null;
  @DateTimeField()
  created_at: Date;
  @DateTimeField()
  updated_at: Date;
}

export class WebhookSecretRotation {
  @StringField({
    ...secretBounds,
    optional: true,
    nullable: 'ignored',
    description: 'The new secret: whsec_ and the base64 of 24 to 64 random bytes; made if omitted',
  })
  secret?: string;
  @IntegerField({
    min: 0,
    max: 30 * dayInSeconds,
    default: dayInSeconds,
    description: 'How long the previous secret also signs; 0 ends it, and all older ones, at once',
  })
  overlap_seconds: number;
}

export class RotatedWebhookSecret {
  @StringField({
    description: 'The new secret, shown only now',
    example: 'whsec_c2FtcGxlIHNlY3JldCBvZiAzMiBieXRlcyAuLi4=',
  })
  secret: string;
  @DateTimeField({ nullable: true, description: 'Until when an earlier secret also signs; null if none does' })
  previous_secret_expires_at: Date | null;
}

/** The result of sending a sample. */
export class WebhookTest {
  @BooleanField({ description: 'Whether the receiver responded with 2xx' })
  delivered: boolean;
  @IntegerField({ nullable: true })
  status_code: number | null;
  @StringField({ nullable: true, example: 'The receiver responded with 500' })
  error: string | null;
  @IntegerField()
  duration_ms: number;
  @StringField({ nullable: true, description: 'The first 20,000 bytes of the response', example: 'thanks' })
  response: string | null;
}

export class WebhookTestOf {
  @EnumField(storeEventTypes, {
    optional: true,
    nullable: 'ignored',
    description: 'The type of the sample; the first of its events if omitted',
  })
  type?: StoreEventType;
}

export class PreviewedEvent {
  @ObjectField(() => StoreEvent)
  event: StoreEvent;
  @BooleanField({ description: 'Whether it is invented, since there is no such event among the last thousand' })
  is_sample: boolean;
}

/** What a webhook would get: the newest event of each of its types. */
export class WebhookPreview {
  @ArrayField(() => PreviewedEvent, { maxItems: storeEventTypes.length })
  events: PreviewedEvent[];
}

export class WebhookPath {
  @UuidField({ example: demo('webhook') })
  id: string;
}
