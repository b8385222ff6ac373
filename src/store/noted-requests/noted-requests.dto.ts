import { CursorPaging } from '../../platform/http/cursor.js';
import {
  ArrayField,
  DateTimeField,
  EnumField,
  IntegerField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';

export const notedRequestKinds = ['failed', 'refused', 'slow'] as const;
export type NotedRequestKind = (typeof notedRequestKinds)[number];

/** What became of a request. */
export class NotedRequest {
  @StringField({ description: 'Its x-request-id', example: '0f8a63c1-98b2-4c3e-9a0e-3b1f6f1a2b3c' })
  request_id: string;
  @DateTimeField({ description: 'When its response ended' })
  ended_at: Date;
  @EnumField(notedRequestKinds, {
    description: 'failed: 500 and above. refused: 400 to 499. slow: it succeeded after more than a second',
  })
  kind: NotedRequestKind;
  @StringField({ example: 'POST' })
  method: string;
  @StringField({ example: '/api/v1/orders/checkout' })
  url: string;
  @StringField({
    description: 'The pattern of its route; none where there is none',
    example: '/api/v1/orders/checkout',
  })
  route: string;
  @IntegerField({ example: 409 })
  status: number;
  @IntegerField({ example: 14 })
  milliseconds: number;
  @StringField({ nullable: true, example: 'insufficient_stock' })
  code: string | null;
  @StringField({
    nullable: true,
    description: 'Why it was refused, as its caller read it',
    example: 'Only 2 of Linen shirt are left',
  })
  refusal: string | null;
  @StringField({ nullable: true, description: 'What went wrong inside the service' })
  failure: string | null;
  @UuidField({ nullable: true })
  user_id: string | null;
  @StringField({ nullable: true, example: 'dana' })
  username: string | null;
  @UuidField({ nullable: true, description: 'The API key that was used' })
  key_id: string | null;
  @UuidField({ nullable: true })
  organization_id: string | null;
  @StringField({ nullable: true, example: '203.0.113.7' })
  address: string | null;
  @StringField({ nullable: true, description: 'Its trace, where traces are sent' })
  trace_id: string | null;
}

export class NotedRequestPath {
  @StringField({
    minLength: 1,
    maxLength: 128,
    description: 'The x-request-id of its response',
    example: 'price-cut-1',
  })
  request_id: string;
}

export class NotedRequestPage {
  @ArrayField(() => NotedRequest)
  data: NotedRequest[];
  @StringField({ nullable: true })
  next_cursor: string | null;
}

export class NotedRequestQuery extends CursorPaging {
  @EnumField(notedRequestKinds, { optional: true })
  kind?: NotedRequestKind;
  @StringField({ optional: true, minLength: 1, maxLength: 150, description: 'Of this account', example: 'dana' })
  username?: string;
}
