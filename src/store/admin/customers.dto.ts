import { DateTimeField, IntegerField, NumberField } from '../../platform/validation/fields.js';
import { User } from '../users/users.dto.js';

/** The newest orders of an account that are counted. */
export const mostCounted = 1_000;

/** An account with what it bought. */
export class Customer extends User {
  @IntegerField({ default: 0, description: `Orders of every status; counted up to ${mostCounted}`, example: 12 })
  orders_count: number;
  @NumberField({
    default: 0,
    description: 'The total of those that were paid, and are neither cancelled nor refunded, less what was paid back',
    example: 1284.5,
  })
  spent_total: number;
  @DateTimeField({ nullable: true, description: 'When the newest order was placed; null without one' })
  last_order_at: Date | null;
}
