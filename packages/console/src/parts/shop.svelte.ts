import type { Shop } from '@store-service/sdk';
import { MoneyTexts } from './money-texts.js';

/** The shop that the console shows, and how it writes amounts. */
class ShownShop {
  itself = $state.raw<Shop | null>(null);
  readonly money = $derived(new MoneyTexts(this.itself));
}

export const shop = new ShownShop();
