import type { AdminOrderDeskSendMailData } from '@store-service/sdk';
import { texts } from '../../texts/texts.js';

/** A mail about an order, as the interface calls it. */
export type OrderMail = AdminOrderDeskSendMailData['path']['mail'];

const names: Record<OrderMail, string> = {
  placed: texts.orders.confirmation,
  paid: texts.orders.payment,
  shipped: texts.common.shipping,
  refunded: texts.orders.refundMail,
};

export const nameOfMail = (mail: OrderMail): string => names[mail];

/** The name of a mail that a timeline tells of: its text as it is, where it is of another kind. */
export const nameOfSentMail = (text: string): string => (Object.hasOwn(names, text) ? names[text as OrderMail] : text);
