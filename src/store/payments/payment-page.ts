import { escapeUTF8 } from 'entities/escape';
import { page } from '../../platform/http/page.js';

/** What the pages say about a payment. */
export interface ShownPayment {
  shopName: string;
  orderId: number;
  /** With its currency. */
  amount: string;
}

/** The demo's page on which to pay; both buttons work without scripts. */
export function demoPage({ shopName, orderId, amount }: ShownPayment, sessionId: string): string {
  return page(
    shopName,
    'Demo payment',
    `<p>Order ${orderId}: <strong>${escapeUTF8(amount)}</strong></p>
<p>This page stands for the payment provider. No money moves.</p>
<form method="post" action="${escapeUTF8(sessionId)}">
<button name="choice" value="pay">Pay</button>
<button name="choice" value="decline" class="other">Decline</button>
</form>`,
  );
}

const sentences = {
  paid: 'Thank you: your payment has arrived.',
  open: 'Your payment has not arrived yet. If you have paid, look at your order again in a moment.',
  failed: 'The payment did not go through, and nothing was charged. Open your order in the shop to pay again.',
  expired: 'This payment has ended. Open your order in the shop to pay again.',
};

/** The page after a payment. */
export function outcomePage({ shopName, orderId }: ShownPayment, status: keyof typeof sentences): string {
  return page(shopName, `Order ${orderId}`, `<p role="status">${sentences[status]}</p>`);
}
