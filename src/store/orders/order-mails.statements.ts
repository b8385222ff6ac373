import { statement } from '../../database/database.js';
import { mailAddress, mailAddressConfirmed } from '../account-mail/mail-address.statements.js';
import { storedOrderJson } from './order-json.statements.js';

/** The mails about an order; the job that sends one words it. */
export const orderMails = {
  placed: 'order-placed',
  paid: 'order-paid',
  shipped: 'order-shipped',
  refunded: 'order-refunded',
} as const;
export type OrderMail = keyof typeof orderMails;

/**
 * The mails about an order's money: about its number, after which stands what was the case at that moment, since a mail may be sent,
 * and tried again, much later. For `paid` it is the order's status before the payment, and what was paid of it by then; for `refunded`
 * the amount of the refund, and what had gone back by then. An admin who sends the mail once more gives the number alone.
 */
export const moneyMails = {
  paid: orderMails.paid,
  refunded: orderMails.refunded,
  paymentFailed: 'order-payment-failed',
} as const;

export const mailedOrder = statement(
  'orders.mailed',
  `SELECT ${storedOrderJson} AS "order", u.username, ${mailAddress} AS email,
          ${mailAddressConfirmed} AS email_verified,
          (SELECT count(*)::integer
             FROM orders other
            WHERE other.user_id = o.user_id AND other.created_at BETWEEN o.created_at - interval '1 hour' AND o.created_at
              AND other.id <> o.id) AS placed_before
     FROM orders o JOIN users u ON u.id = o.user_id
    WHERE o.id = $1 AND u.deleted_at IS NULL`,
);
