import { bags } from './products/bags.js';
import { clothing } from './products/clothing.js';
import type { DemoProduct } from './products/demo-product.js';
import { desk } from './products/desk.js';
import { home } from './products/home.js';
import { kitchen } from './products/kitchen.js';
import { outdoor } from './products/outdoor.js';
import { shoes } from './products/shoes.js';
import type { DemoColor } from './pictures/tones.js';
import { daysBefore } from './time.js';

const allCategories = [clothing, home, kitchen, outdoor, desk, shoes, bags];
const oldestDays = 420;
const newestDays = 6;

/** All products of the demo, one of each category in turn: the catalogue is in this order, and its first page shows them all. */
export const demoProducts: readonly DemoProduct[] = inTurn(allCategories);

/** The colour that a product is drawn in. */
export function pictureColor(product: DemoProduct): DemoColor {
  return product.color ?? product.tint ?? 'Natural';
}

/** When each product came into the catalogue, by name: evenly over the last year and a bit, in the catalogue's order. */
export function productDates(now: Date): Map<string, Date> {
  const step = (oldestDays - newestDays) / (demoProducts.length - 1);
  return new Map(demoProducts.map(({ name }, index) => [name, daysBefore(now, oldestDays - index * step)]));
}

function inTurn(categories: DemoProduct[][]): DemoProduct[] {
  const longest = Math.max(...categories.map((category) => category.length));
  return Array.from({ length: longest }, (_, round) => categories.flatMap((category) => category[round] ?? [])).flat();
}
