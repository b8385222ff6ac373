import { escapeUTF8 } from 'entities/escape';
import { page } from '../../platform/http/page.js';
import { type PaymentLanguage, paymentTexts } from './payment-texts.js';

/** What the pages say about a payment, and in which language. */
export interface ShownPayment {
  shopName: string;
  orderId: number;
  /** With its currency. */
  amount: string;
  language: PaymentLanguage;
}

/** The demo's page on which to pay; both buttons work without scripts, and keep the language. */
export function demoPage({ shopName, orderId, amount, language }: ShownPayment, sessionId: string): string {
  const texts = paymentTexts[language];
  return page(
    shopName,
    texts.title,
    `<p>${texts.order(orderId)}: <strong>${escapeUTF8(amount)}</strong></p>
<p>${texts.hint}</p>
<form method="post" action="${escapeUTF8(`${sessionId}?lang=${language}`)}">
<button name="choice" value="pay">${texts.pay}</button>
<button name="choice" value="decline" class="other">${texts.decline}</button>
</form>`,
    language,
  );
}

/** The page after a payment. */
export function outcomePage(
  { shopName, orderId, language }: ShownPayment,
  status: keyof (typeof paymentTexts)['en']['outcomes'],
): string {
  const { order, outcomes } = paymentTexts[language];
  return page(shopName, order(orderId), `<p role="status">${outcomes[status]}</p>`, language);
}
