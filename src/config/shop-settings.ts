import type { EnvironmentReader } from './environment-reader.js';

/** Who the shop is and how it writes its prices, until an admin decides otherwise. */
export interface ShopSettings {
  name: string;
  /** ISO 4217. */
  currency: string;
  /** BCP 47. */
  locale: string;
}

/** Whether a text is the code of a currency (ISO 4217) whose amounts can be written. */
export function isCurrency(text: string): boolean {
  return Intl.supportedValuesOf('currency').includes(text);
}

/** The canonical form of a language tag (BCP 47); undefined if it is none. */
export function canonicalLocale(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

/** Reads the settings of the shop itself. */
export function readShopSettings(read: EnvironmentReader): ShopSettings {
  return {
    name: read.parsed('SHOP_NAME', 'up to 100 characters on one line', 'Store Service', (value) =>
      value.length <= 100 && !/\p{Cc}/u.test(value) ? value : undefined,
    ),
    currency: read.parsed('SHOP_CURRENCY', 'a currency of ISO 4217, such as USD', 'USD', (value) =>
      isCurrency(value) ? value : undefined,
    ),
    locale: read.parsed('SHOP_LOCALE', 'a language tag (BCP 47), such as en-US', 'en-US', canonicalLocale),
  };
}
