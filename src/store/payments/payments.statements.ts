import { statement } from '../../database/database.js';

/** Writes a payment once: one whose reference is known returns no row. */
export const insertPayment = statement(
  'payments.insert',
  `INSERT INTO payments (id, order_id, provider, reference, method, amount, currency)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (provider, reference) DO NOTHING
   RETURNING id`,
);

/** What each payment of an order still holds, the oldest first. */
export const paymentsLeft = statement(
  'payments.left',
  `SELECT p.id, p.provider,
          p.amount - coalesce((SELECT sum(r.amount) FROM refunds r WHERE r.payment_id = p.id AND r.status <> 'failed'), 0) AS left
     FROM payments p
    WHERE p.order_id = $1
    ORDER BY p.created_at, p.id
    LIMIT 500`,
);

/** A session is first asked about after a minute, in which its webhook should have come. */
export const insertSession = statement(
  'payments.insert-session',
  `INSERT INTO payment_sessions (id, order_id, provider, amount, currency, return_url, ask_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, now() + interval '1 minute', now() + interval '1 day')`,
);

/** The open session of an order for this amount. */
export const openSession = statement(
  'payments.open-session',
  `SELECT id
     FROM payment_sessions
    WHERE order_id = $1 AND provider = $2 AND amount = $3::numeric AND currency = $4 AND status = 'open' AND expires_at > now()
    ORDER BY created_at DESC, id
    LIMIT 1`,
);

/** The longer something waits, the less often is asked about it. */
const nextAsk = `now() + least(interval '1 hour', greatest(interval '1 minute', (now() - created_at) / 2))`;

/**
 * Takes some sessions about which it is time to ask, so that no other node asks about them. `wanted` says whether their
 * orders still wait for just this amount.
 */
export const takeSessions = statement(
  'payments.take-sessions',
  `WITH due AS MATERIALIZED (
     SELECT id FROM payment_sessions
      WHERE status = 'open' AND ask_at <= now()
      ORDER BY ask_at
      LIMIT 20
        FOR UPDATE SKIP LOCKED)
   UPDATE payment_sessions s SET ask_at = ${nextAsk.replaceAll('created_at', 's.created_at')}
     FROM due, orders o
    WHERE s.id = due.id AND o.id = s.order_id
   RETURNING s.id, s.provider, s.reference, s.expires_at <= now() AS ended,
             o.status = 'pending' AND o.total_price - o.paid_total + o.refunded_total = s.amount AS wanted`,
);

/** The open sessions of an order that a provider knows. */
export const sessionsOfOrder = statement(
  'payments.sessions-of-order',
  `SELECT id, provider, reference
     FROM payment_sessions
    WHERE order_id = $1 AND status = 'open' AND reference IS NOT NULL`,
);

/** Takes some refunds that stayed pending, so that no other node takes them up. */
export const takeRefunds = statement(
  'payments.take-refunds',
  `WITH due AS MATERIALIZED (
     SELECT id FROM refunds
      WHERE status = 'pending' AND ask_at <= now()
      ORDER BY ask_at
      LIMIT 20
        FOR UPDATE SKIP LOCKED)
   UPDATE refunds SET ask_at = ${nextAsk}
     FROM due
    WHERE refunds.id = due.id
   RETURNING refunds.id`,
);

/** A refund is taken up after a minute, in which its request should have ended. */
export const insertRefund = statement(
  'payments.insert-refund',
  `INSERT INTO refunds (id, order_id, payment_id, amount, reason, restock, by_hand, ask_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, now() + interval '1 minute')`,
);

export const insertRefundLines = statement(
  'payments.insert-refund-lines',
  `INSERT INTO refund_lines (refund_id, item_id, quantity)
   SELECT $1, item_id, quantity FROM unnest($2::integer[], $3::integer[]) AS line (item_id, quantity)`,
);

/**
 * What lines $2 of order $1 in quantities $3 are worth: their part of what the goods cost after the discount. It is the
 * difference of two sums, so that the parts of an order add up to it exactly. `lines` has what is left of each line.
 */
export const linesWorth = statement(
  'payments.lines-worth',
  `WITH line AS MATERIALIZED (
     SELECT item.id, item.product_name AS name, item.price,
            coalesce(asked.quantity, 0) AS asked,
            coalesce((SELECT sum(l.quantity)
                        FROM refund_lines l JOIN refunds r ON r.id = l.refund_id
                       WHERE l.item_id = item.id AND r.status <> 'failed'), 0)::integer AS refunded,
            item.quantity
       FROM order_items item
       LEFT JOIN unnest($2::integer[], $3::integer[]) AS asked (item_id, quantity) ON asked.item_id = item.id
      WHERE item.order_id = $1),
   goods AS (
     SELECT nullif(sum(price * quantity), 0) AS price, sum(price * refunded) AS before,
            sum(price * (refunded + asked)) AS after
       FROM line)
   SELECT coalesce(round(after * (price - o.discount) / price, 2) - round(before * (price - o.discount) / price, 2), 0)
            AS amount,
          (SELECT json_agg(json_build_object('id', id, 'name', name, 'asked', asked, 'left', quantity - refunded))
             FROM line
            WHERE asked > 0) AS lines
     FROM goods, orders o
    WHERE o.id = $1`,
);
