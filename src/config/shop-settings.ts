import type { EnvironmentReader } from './environment-reader.js';

/** How the shop writes its prices. */
export interface ShopSettings {
  /** ISO 4217. */
  currency: string;
  /** BCP 47. */
  locale: string;
}

function parseLocale(value: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(value)[0];
  } catch {
    return undefined;
  }
}

/** Reads the settings of the shop itself. */
export function readShopSettings(read: EnvironmentReader): ShopSettings {
  return {
    currency: read.parsed('SHOP_CURRENCY', 'a currency of ISO 4217, such as USD', 'USD', (value) =>
      Intl.supportedValuesOf('currency').includes(value) ? value : undefined,
    ),
    locale: read.parsed('SHOP_LOCALE', 'a language tag (BCP 47), such as en-US', 'en-US', parseLocale),
  };
}
