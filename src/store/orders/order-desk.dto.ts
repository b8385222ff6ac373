import { demo } from '../../platform/openapi/demo-values.js';
import { AdminPaging } from '../../platform/http/paging.js';
import {
  DateTimeField,
  EnumField,
  IdField,
  IntegerField,
  ObjectField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { optionalText, saidText } from '../../platform/validation/texts.js';
import { OrderActor } from './order-actor.dto.js';
import { type OrderMail, orderMails } from './order-mails.statements.js';

/** What of the tracking changes: omitted fields stay as they are, null and blanks empty one. */
export class TrackingUpdate {
  @StringField({ ...optionalText, trimmed: true, maxLength: 100, example: 'DHL' })
  carrier?: string | null;
  @StringField({ ...optionalText, trimmed: true, maxLength: 200, example: '00340434161094015902' })
  tracking_number?: string | null;
  @StringField({
    ...optionalText,
    trimmed: true,
    maxLength: 2_048,
    pattern: /^[hH][tT][tT][pP][sS]?:\/\/[^\s/?#@<>"`\\]+(?:[/?#][^\s<>"`\\]*)?$/,
    patternHint: 'Input should be an http(s) URL',
    example: 'https://www.dhl.com/track?id=00340434161094015902',
  })
  tracking_url?: string | null;
}

export class OrderNoteCreate {
  @StringField({ ...saidText, maxLength: 2_000, example: 'Rings twice: the bell is broken.' })
  text: string;
}

/** What somebody of the shop noted about an order. */
export class OrderNote {
  @UuidField()
  id: string;
  @StringField({ example: 'Rings twice: the bell is broken.' })
  text: string;
  @ObjectField(() => OrderActor)
  author: OrderActor;
  @DateTimeField()
  created_at: Date;
}

export class OrderNotesQuery extends AdminPaging {}

/** How many orders wait, counted up to 10,000. */
export class OrderQueues {
  @IntegerField({ description: 'Paid or processing', example: 12 })
  to_ship: number;
  @IntegerField({ description: 'Pending', example: 7 })
  unpaid: number;
  @IntegerField({
    description: 'A payment or a refund failed, or what is to ship has no address',
    example: 1,
  })
  problems: number;
  @IntegerField({ description: 'It was shipped, and money was paid back for it', example: 3 })
  returns: number;
}

const mails = Object.keys(orderMails);

export class OrderMailPath {
  @IdField({ example: demo('shippedOrder') })
  order_id: number;
  @EnumField(mails, { example: 'shipped' })
  mail: OrderMail;
}

/** A mail that is on its way. */
export class SentOrderMail {
  @EnumField(mails, { example: 'shipped' })
  mail: OrderMail;
  @StringField({ description: 'The address that it goes to', example: 'maria.santos@example.com' })
  to: string;
}
