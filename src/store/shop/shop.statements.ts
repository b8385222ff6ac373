import { statement } from '../../database/database.js';
import { rowJson } from '../../database/row-json.statements.js';
import { mostShippingMethods } from './shop.dto.js';

/** All that an admin sets of the shop, its shipping methods as JSON in their order. */
export const readShop = statement(
  'shop.read',
  `SELECT name, currency, locale, contact_email, address, logo_url, payment_instructions,
          (SELECT coalesce(json_agg(${rowJson('code, name, cost, days, free_from')} ORDER BY position, code), '[]')
             FROM (SELECT * FROM shipping_methods ORDER BY position, code LIMIT ${mostShippingMethods}) AS method
          ) AS shipping_methods
     FROM shop_settings`,
);
