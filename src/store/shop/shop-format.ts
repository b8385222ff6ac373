import type { Shop } from './shop.dto.js';

/** How the shop writes amounts and days for people. */
export interface ShopFormat {
  money: (amount: number) => string;
  day: (time: string | Date) => string;
}

type Conventions = Pick<Shop, 'currency' | 'locale'>;

/** The format that was made last. Making one takes longer than writing a mail with it, and a shop rarely changes its own. */
let newest: { of: Conventions; format: ShopFormat } | undefined;

/** The format of a shop: amounts in its currency with as many decimals as that has, days in UTC. */
export function formatOf({ currency, locale }: Conventions): ShopFormat {
  if (newest?.of.currency !== currency || newest.of.locale !== locale) {
    newest = { of: { currency, locale }, format: makeFormat({ currency, locale }) };
  }
  return newest.format;
}

function makeFormat({ currency, locale }: Conventions): ShopFormat {
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return { money: (amount) => money.format(amount), day: (time) => day.format(new Date(time)) };
}
