import { pictureUrl } from '../../platform/validation/picture-url.js';
import {
  ArrayField,
  EnumField,
  IntegerField,
  NumberField,
  ObjectField,
  StringField,
} from '../../platform/validation/fields.js';
import { optionalText, saidText } from '../../platform/validation/texts.js';
import { type PaymentProvider, paymentProviders } from './payment-provider.js';

// Unspecified: how many shipping methods a shop has; no customer chooses from more.
export const mostShippingMethods = 100;

export class ShippingMethod {
  @StringField({
    minLength: 1,
    maxLength: 50,
    pattern: /^[a-z0-9_-]*$/,
    patternHint: 'String should consist of small letters, digits, hyphens and underscores',
    description: 'The code that names the method in an order',
    example: 'standard',
  })
  code: string;
  @StringField({ ...saidText, maxLength: 100, example: 'Standard' })
  name: string;
  @NumberField({ min: 0, max: 10_000, decimals: 2, example: 5.99 })
  cost: number;
  @IntegerField({
    min: 0,
    max: 365,
    description: 'The estimated number of days from order to arrival',
    example: 5,
  })
  days: number;
  @NumberField({
    min: 0,
    max: 9_999_999_999.99,
    decimals: 2,
    nullable: true,
    default: null,
    description: 'The price of the goods, after discount, from which shipping is free; null if it is never free',
    example: null,
  })
  free_from: number | null;
}

const name = {
  minLength: 1,
  maxLength: 100,
  pattern: /^(?=.*\S).*$/,
  patternHint: 'String should be on one line, and not blank',
  example: 'Harbour Outfitters',
};
const currency = {
  minLength: 3,
  maxLength: 3,
  pattern: /^[A-Z]*$/,
  patternHint: 'String should be the three capitals of a currency (ISO 4217), such as EUR',
  description: 'The currency of all prices (ISO 4217)',
  example: 'USD',
};
const locale = {
  minLength: 2,
  maxLength: 35,
  description: 'The locale for numbers and dates (BCP 47)',
  example: 'en-US',
};
const contactEmail = { format: 'email', description: 'Where customers write to', example: 'shop@example.com' } as const;
const address = { maxLength: 1_000, description: 'One or more lines', example: '1 Harbour Road\nSpringfield' };
const logo = { description: 'An http(s) URL, or the path of an upload' };
const instructions = {
  maxLength: 2_000,
  description: 'How to pay where money comes by hand',
  example: 'Transfer the total to IBAN DE02 1203 0000 0000 2020 51, and name the number of your order.',
};
const shippingMethods = {
  maxItems: mostShippingMethods,
  description: 'The shipping methods, in the order in which to offer them',
};

/** How a shop is paid. */
export class ShopPayment {
  @EnumField(paymentProviders, {
    description:
      'manual: the customer follows the instructions, and an admin records the money. stripe: the customer pays on a ' +
      'page of Stripe. demo: on a page of this service that takes no money',
    example: 'manual',
  })
  provider: PaymentProvider;
  @StringField({ ...instructions, nullable: true, description: 'How to pay by hand; null for other providers' })
  instructions: string | null;
}

export class Shop {
  @StringField(name)
  name: string;
  @StringField(currency)
  currency: string;
  @StringField(locale)
  locale: string;
  @StringField({ ...contactEmail, nullable: true })
  contact_email: string | null;
  @StringField({ ...address, nullable: true })
  address: string | null;
  @StringField({ ...logo, nullable: true, example: '/uploads/general/logo.webp' })
  logo_url: string | null;
  @ArrayField(() => ShippingMethod, shippingMethods)
  shipping_methods: ShippingMethod[];
  @ObjectField(() => ShopPayment)
  payment: ShopPayment;
  @StringField({
    nullable: true,
    description:
      'Where its customers shop: the address of a shop front on a machine of its own, "/" for that of this service; null ' +
      'without one',
    example: '/',
  })
  front_url: string | null;
}

/** What the environment says of the shop. */
export class ShopDefaults {
  @StringField({ ...name, description: 'SHOP_NAME' })
  name: string;
  @StringField({ ...currency, description: 'SHOP_CURRENCY' })
  currency: string;
  @StringField({ ...locale, description: 'SHOP_LOCALE' })
  locale: string;
}

/** The shop as its admins set it. */
export class ShopSettings {
  @StringField({ ...name, nullable: true, description: 'null: that of the defaults' })
  name: string | null;
  @StringField({ ...currency, nullable: true, description: 'ISO 4217; null: that of the defaults' })
  currency: string | null;
  @StringField({ ...locale, nullable: true, description: 'BCP 47; null: that of the defaults' })
  locale: string | null;
  @StringField({ ...contactEmail, nullable: true })
  contact_email: string | null;
  @StringField({ ...address, nullable: true })
  address: string | null;
  @StringField({ ...logo, nullable: true, example: '/uploads/general/logo.webp' })
  logo_url: string | null;
  @StringField({ ...instructions, nullable: true })
  payment_instructions: string | null;
  @ArrayField(() => ShippingMethod, shippingMethods)
  shipping_methods: ShippingMethod[];
  @ObjectField(() => ShopDefaults, { description: 'What counts where the fields above are null' })
  defaults: ShopDefaults;
}

/** Omitted fields stay as they are; null stands for the value of the environment, or for none. */
export class ShopUpdate {
  @StringField({ ...name, ...optionalText, trimmed: true, description: 'null: SHOP_NAME' })
  name?: string | null;
  // Unspecified: what a new currency makes of prices and orders; it changes how they are written, and no amount.
  @StringField({
    ...currency,
    ...optionalText,
    trimmed: true,
    description: 'ISO 4217; null: SHOP_CURRENCY. No amount is converted: set it before the first order',
  })
  currency?: string | null;
  @StringField({ ...locale, ...optionalText, trimmed: true, description: 'BCP 47; null: SHOP_LOCALE' })
  locale?: string | null;
  @StringField({ ...contactEmail, ...optionalText, trimmed: true })
  contact_email?: string | null;
  @StringField({ ...address, ...optionalText })
  address?: string | null;
  @StringField({ ...pictureUrl, ...logo, ...optionalText, trimmed: true })
  logo_url?: string | null;
  @StringField({ ...instructions, ...optionalText })
  payment_instructions?: string | null;
  @ArrayField(() => ShippingMethod, {
    ...shippingMethods,
    optional: true,
    nullable: 'ignored',
    description: 'The whole list, in the order in which to offer them; each code once',
  })
  shipping_methods?: ShippingMethod[];
}
