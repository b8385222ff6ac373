import { statement } from '../../database/database.js';

/**
 * The placement of the order $1, and its newest $2 notes, payments and refunds, newest first. What its rows do not say is who took a payment or paid it back:
 * the audit log does.
 */
export const orderRecords = statement(
  'orders.records',
  `SELECT record.*, u.username AS "userName"
     FROM (
       (SELECT id, created_at AS at, 'note_added' AS what, NULL::numeric AS amount, text, user_id AS "userId", key_name AS source
         FROM order_notes WHERE order_id = $1
       UNION ALL
       SELECT id, created_at, 'payment_received', amount, concat_ws(', ', method, reference), NULL, provider
         FROM payments WHERE order_id = $1
       UNION ALL
       SELECT r.id, r.created_at,
              CASE r.status WHEN 'done' THEN 'refunded' WHEN 'failed' THEN 'refund_failed' ELSE 'refund_pending' END,
              r.amount, coalesce(r.failure, r.reason), NULL, p.provider
         FROM refunds r JOIN payments p ON p.id = r.payment_id
        WHERE r.order_id = $1
        ORDER BY at DESC, id DESC
        LIMIT $2)
       UNION ALL
       SELECT NULL, created_at, 'placed', NULL, NULL, user_id, NULL FROM orders WHERE id = $1) AS record
     LEFT JOIN users u ON u.id = record."userId"
    ORDER BY what = 'placed', at DESC, id DESC`,
);
