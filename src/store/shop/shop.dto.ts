import { ArrayField, IntegerField, NumberField, StringField } from '../../platform/validation/fields.js';

// Unspecified: how many shipping methods a shop has; no customer chooses from more.
export const mostShippingMethods = 100;

export class ShippingMethod {
  @StringField({ description: 'The code that names the method in an order', example: 'standard' })
  code: string;
  @StringField({ example: 'Standard' })
  name: string;
  @NumberField({ example: 5.99 })
  cost: number;
  @IntegerField({ description: 'The estimated number of days from order to arrival', example: 5 })
  days: number;
  @NumberField({
    nullable: true,
    description: 'The price of the goods, after discount, from which shipping is free; null if it is never free',
    example: null,
  })
  free_from: number | null;
}

export class Shop {
  @StringField({ example: 'Harbour Outfitters' })
  name: string;
  @StringField({ description: 'The currency of all prices (ISO 4217)', example: 'USD' })
  currency: string;
  @StringField({ description: 'The locale for numbers and dates (BCP 47)', example: 'en-US' })
  locale: string;
  @ArrayField(() => ShippingMethod, {
    maxItems: mostShippingMethods,
    description: 'The shipping methods, in the order in which to offer them',
  })
  shipping_methods: ShippingMethod[];
}
