import { ArrayField, IntegerField, NumberField, StringField } from '../../platform/validation/fields.js';

// Unspecified: how many shipping methods a shop has; no customer chooses from more.
export const mostShippingMethods = 100;

export class ShippingMethod {
  @StringField({ description: 'Names it in an order', example: 'standard' })
  code: string;
  @StringField({ example: 'Standard' })
  name: string;
  @NumberField({ example: 5.99 })
  cost: number;
  @IntegerField({ description: 'The days from the order to its arrival, as estimated', example: 5 })
  days: number;
  @NumberField({
    nullable: true,
    description: 'The price of the goods, after discount, from which it costs nothing; null where it always costs',
    example: null,
  })
  free_from: number | null;
}

export class Shop {
  @StringField({ example: 'Harbour Outfitters' })
  name: string;
  @StringField({ description: 'That of all prices, as ISO 4217 writes it', example: 'USD' })
  currency: string;
  @StringField({ description: 'How to write numbers and dates, as BCP 47 says it', example: 'en-US' })
  locale: string;
  @ArrayField(() => ShippingMethod, {
    maxItems: mostShippingMethods,
    description: 'In the order in which to offer them',
  })
  shipping_methods: ShippingMethod[];
}
