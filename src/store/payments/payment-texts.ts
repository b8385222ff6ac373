export const paymentLanguages = ['en', 'de'] as const;
export type PaymentLanguage = (typeof paymentLanguages)[number];

const en = {
  title: 'Demo payment',
  order: (id: number) => `Order ${id}`,
  hint: 'This page stands for the payment provider. No money moves.',
  pay: 'Pay',
  decline: 'Decline',
  outcomes: {
    paid: 'Thank you: your payment has arrived.',
    open: 'Your payment has not arrived yet. If you have paid, look at your order again in a moment.',
    failed: 'The payment did not go through, and nothing was charged. Open your order in the shop to pay again.',
    expired: 'This payment has ended. Open your order in the shop to pay again.',
  },
};

const de: typeof en = {
  title: 'Probezahlung',
  order: (id) => `Bestellung ${id}`,
  hint: 'Diese Seite steht für den Zahlungsanbieter. Es fließt kein Geld.',
  pay: 'Bezahlen',
  decline: 'Ablehnen',
  outcomes: {
    paid: 'Danke: Ihre Zahlung ist da.',
    open: 'Ihre Zahlung ist noch nicht da. Wenn Sie bezahlt haben, sehen Sie gleich noch einmal in Ihre Bestellung.',
    failed:
      'Die Zahlung hat nicht geklappt, und es wurde nichts abgebucht. Öffnen Sie Ihre Bestellung im Shop, um noch einmal zu bezahlen.',
    expired: 'Diese Zahlung ist beendet. Öffnen Sie Ihre Bestellung im Shop, um noch einmal zu bezahlen.',
  },
};

/** What the service's own pages about payments say, in the languages of the shop front. */
export const paymentTexts: Record<PaymentLanguage, typeof en> = { en, de };
