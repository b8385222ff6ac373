import type { Shop } from '@store-service/sdk';
import { MoneyTexts } from './money-texts.js';
import { asWords } from './words.js';

/** The shop that the console shows, and how it writes amounts. */
class ShownShop {
  itself = $state.raw<Shop | null>(null);
  readonly money = $derived(new MoneyTexts(this.itself));
}

export const shop = new ShownShop();

/** The address of a page of the shop front; null where there is no shop front. */
export function frontHref(path = ''): string | null {
  const front = shop.itself?.front_url;
  return front ? `${front.replace(/\/$/, '')}/${path}` : null;
}

/** A shipping method by its code, as the shop names it. */
export const shippingName = (code: string): string =>
  shop.itself?.shipping_methods.find((method) => method.code === code)?.name ?? asWords(code);
