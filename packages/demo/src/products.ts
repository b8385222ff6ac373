import { bags } from './data/shop/products/bags.js';
import { clothing } from './data/shop/products/clothing.js';
import type { DemoProduct } from './data/shop/products/demo-product.js';
import { desk } from './data/shop/products/desk.js';
import { home } from './data/shop/products/home.js';
import { kitchen } from './data/shop/products/kitchen.js';
import { outdoor } from './data/shop/products/outdoor.js';
import { shoes } from './data/shop/products/shoes.js';
import { daysBefore } from './time.js';

const allCategories = [clothing, home, kitchen, outdoor, desk, shoes, bags];
const oldestDays = 420;
const newestDays = 6;

/**
 * All products of the demo in the catalogue's order: the categories alternate, so that its first page shows them all.
 */
export const demoProducts: readonly DemoProduct[] = alternating(allCategories);

/** When each product came into the catalog, by name: evenly over the last year and a bit, in the catalogue's order. */
export function productDates(now: Date): Map<string, Date> {
  const step = (oldestDays - newestDays) / (demoProducts.length - 1);
  return new Map(demoProducts.map(({ name }, index) => [name, daysBefore(now, oldestDays - index * step)]));
}

function alternating(categories: DemoProduct[][]): DemoProduct[] {
  const longest = Math.max(...categories.map((category) => category.length));
  return Array.from({ length: longest }, (_, round) => categories.flatMap((category) => category[round] ?? [])).flat();
}
