import type { Command } from 'commander';
import type { Open } from './context.js';
import { addShopOrders } from './shop-orders.js';

const note = `
The shop takes a key of its own, or the access token of an admin, in STORE_SHOP_KEY.`;

export function addShop(shop: Command, open: Open): void {
  shop.addHelpText('after', note);
  addShopOrders(shop.command('orders').alias('order').description('Read and ship the orders of the shop.'), open);
}
