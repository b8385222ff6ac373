import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  IntegerField,
  JsonField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { eventDays, type StoreEventType, storeEventTypes } from './store-event-types.js';

export class StoreEvent {
  @UuidField()
  id: string;
  @EnumField(storeEventTypes, { example: 'order.placed' })
  type: StoreEventType;
  @DateTimeField()
  created_at: Date;
  @JsonField({ bounds: 'none', description: 'As the JSON Schema of the type says' })
  data: Record<string, unknown>;
}

export class StoreEventPage {
  @ArrayField(() => StoreEvent)
  data: StoreEvent[];
  @StringField({
    description: 'Send this as `after` in the next call, at once if `more` is true, else a little later',
    example: 'NDcxMV8xNzk1NzczNjAwMDAw',
  })
  next: string;
  @BooleanField()
  more: boolean;
}

export class StoreEventPaging {
  @StringField({
    optional: true,
    maxLength: 100,
    description: `The \`next\` of the previous response; omitted, the list begins with the oldest event, of at most ${eventDays} days ago`,
  })
  after?: string;
  @IntegerField({ min: 1, max: 500, default: 100, description: 'The maximum number of events' })
  limit: number;
}
