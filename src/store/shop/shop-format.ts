import type { Shop } from './shop.dto.js';

/** How the shop writes amounts and days for people. */
export interface ShopFormat {
  money: (amount: number) => string;
  day: (time: string | Date) => string;
}

/** The format of a shop: amounts in its currency with as many decimals as that has, days in UTC. */
export function formatOf({ currency, locale }: Pick<Shop, 'currency' | 'locale'>): ShopFormat {
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return { money: (amount) => money.format(amount), day: (time) => day.format(new Date(time)) };
}
