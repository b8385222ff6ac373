import type { Settings } from '../../config/settings.js';
import { isStorefrontBuilt } from '../../platform/storefront/storefront-build.js';
import { paymentProviderOf } from './payment-provider.js';
import type { ShopSettingsEntity } from './shop-settings.entity.js';
import type { Shop, ShopSettings, ShopUpdate } from './shop.dto.js';
import type { StoredShop } from './shop.repository.js';

/** The shop as everybody sees it. */
export function toShop({ payment_instructions, ...stored }: StoredShop, settings: Settings): Shop {
  const { name, currency, locale } = settings.shop;
  const { contact_email, address, logo_url, shipping_methods } = stored;
  const provider = paymentProviderOf(settings);
  return {
    name: stored.name ?? name,
    currency: stored.currency ?? currency,
    locale: stored.locale ?? locale,
    contact_email,
    address,
    logo_url,
    shipping_methods,
    payment: { provider, instructions: provider === 'manual' ? payment_instructions : null },
    front_url: settings.storefrontUrl ?? (settings.storefront && isStorefrontBuilt() ? '/' : null),
  };
}

export function toShopSettings(stored: StoredShop, { shop }: Settings): ShopSettings {
  const { name, currency, locale } = shop;
  return { ...stored, defaults: { name, currency, locale } };
}

/** The given columns, by the entity's names. */
export function toShopColumns(given: ShopUpdate): Partial<ShopSettingsEntity> {
  const columns: Partial<ShopSettingsEntity> = {};
  if (given.name !== undefined) columns.name = given.name;
  if (given.currency !== undefined) columns.currency = given.currency;
  if (given.locale !== undefined) columns.locale = given.locale;
  if (given.contact_email !== undefined) columns.contactEmail = given.contact_email;
  if (given.address !== undefined) columns.address = given.address;
  if (given.logo_url !== undefined) columns.logoUrl = given.logo_url;
  if (given.payment_instructions !== undefined) columns.paymentInstructions = given.payment_instructions;
  return columns;
}
