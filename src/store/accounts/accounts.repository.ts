import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { arrivedSteps, orderStatuses, settledStatuses } from '../orders/order-status.js';

/**
 * One statement empties the tables of several modules, so that an account is never half deleted and costs one round trip.
 * The account's row stays for its orders, without personal data. An order that has yet to be delivered keeps its address
 * until it is settled: by its status ($2), or by a status other than $3 once it had been delivered ($4). Stored responses
 * to orders go at once, because they hold addresses too.
 */
const scrub = `
  WITH codes AS (DELETE FROM recovery_codes WHERE user_id = $1),
       challenges AS (DELETE FROM login_challenges WHERE user_id = $1),
       signed_in AS (DELETE FROM sessions WHERE user_id = $1),
       linked AS (DELETE FROM oidc_identities WHERE user_id = $1),
       linking AS (DELETE FROM oidc_logins WHERE user_id = $1),
       devices AS (DELETE FROM known_devices WHERE user_id = $1),
       cart AS (DELETE FROM carts WHERE user_id = $1),
       reviewed AS (DELETE FROM reviews WHERE user_id = $1),
       written AS (DELETE FROM testimonials WHERE user_id = $1),
       keys AS (DELETE FROM idempotency_keys WHERE user_id = $1),
       addresses AS (DELETE FROM user_addresses WHERE user_id = $1),
       ordered AS (
         UPDATE orders
            SET shipping_first_name = NULL, shipping_last_name = NULL, shipping_address = NULL, shipping_city = NULL,
                shipping_zip = NULL, shipping_phone = NULL
          WHERE user_id = $1
            AND (status = ANY ($2::text[]) OR status <> ALL ($3::text[]) AND reached = ANY ($4::text[])))
  UPDATE users
     SET username = NULL, email = NULL, former_email = NULL, password_hash = 'deleted', first_name = NULL, last_name = NULL,
         avatar_url = NULL, bio = NULL, role = 'user', role_source = 'default', totp_enabled = false, totp_secret = NULL,
         token_version = token_version + 1, deleted_at = now()
   WHERE id = $1`;

@Injectable()
export class AccountsRepository {
  constructor(private readonly database: Database) {}

  /** Deletes everything that belongs to a locked account, scrubs its row and its orders, and ends its tokens. */
  async scrub(userId: string): Promise<void> {
    await this.database.execute(scrub, [userId, settledStatuses, orderStatuses, arrivedSteps]);
  }
}
