import { statement } from '../../database/database.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';

/** One after the other, the addresses of an account change. */
export const lockOwner = statement(
  'addresses.lock-owner',
  'SELECT id FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE',
);

export const count = statement('addresses.count', countUpTo('user_addresses WHERE user_id = $1'));

/** Makes $2 the default of the account $1 in the place of another; the count makes that one end first. */
export const makeDefault = statement(
  'addresses.make-default',
  `WITH former AS (
     UPDATE user_addresses SET is_default = false WHERE user_id = $1 AND is_default AND id <> $2 RETURNING id)
   UPDATE user_addresses SET is_default = true
    WHERE user_id = $1 AND id = $2 AND (SELECT count(*) FROM former) <= 1`,
);
