import { bags } from './data/shop/products/bags.js';
import { clothing } from './data/shop/products/clothing.js';
import type { DemoDepartment, DemoGroup, DemoProduct } from './data/shop/products/demo-product.js';
import { home } from './data/shop/products/home.js';
import { kitchen } from './data/shop/products/kitchen.js';
import { daysBefore } from './time.js';

const oldestDays = 420;
const newestDays = 6;

/** The four departments of the demo's shop, each with its shelves and their groups. */
export const departments: readonly DemoDepartment[] = [kitchen, clothing, home, bags];

/**
 * All products of the demo in the catalog's order: the first variant of each group, departments alternating, so that its first
 * page shows them all; then the other variants.
 */
export const demoProducts: readonly DemoProduct[] = inOrder(departments.map(variantsByGroup));

/** When each product came into the catalog, by name: evenly over the last year and a bit, in the catalog's order. */
export function productDates(now: Date): Map<string, Date> {
  const step = (oldestDays - newestDays) / (demoProducts.length - 1);
  return new Map(demoProducts.map(({ name }, index) => [name, daysBefore(now, oldestDays - index * step)]));
}

/** The part of a picture's name that says the color. */
function slugOf(color: string): string {
  return color.toLowerCase().replaceAll(' ', '-');
}

function variantsByGroup({ shelves }: DemoDepartment): DemoProduct[][] {
  return shelves.flatMap(({ slug, groups }) => groups.map((group) => variantsOf(group, slug)));
}

function variantsOf(group: DemoGroup, category: string): DemoProduct[] {
  const { name, sku, description, material, priceCents, colors, sizes, stock } = group;
  return colors.flatMap((color, row) =>
    sizes.map(([size, extraCents], column) => {
      const differences = [colors.length > 1 ? color : [], sizes.length > 1 ? size : []].flat();
      return {
        group: name,
        name: row + column === 0 ? name : [name, ...differences].join(', '),
        sku: `${sku}-${row + 1}${column + 1}`,
        description,
        priceCents: priceCents + extraCents,
        stock: stock[row * sizes.length + column] ?? 0,
        color,
        material,
        size,
        category,
        pictures: picturesOf(group, color),
      };
    }),
  );
}

function picturesOf({ name, picture }: DemoGroup, color: string): DemoProduct['pictures'] {
  return [{ name: `${picture}-${slugOf(color)}`, alt: `${name} in ${color.toLowerCase()}` }];
}

function inOrder(byDepartment: DemoProduct[][][]): DemoProduct[] {
  const longest = Math.max(...byDepartment.map((groups) => groups.length));
  const rounds = Array.from({ length: longest }, (_, round) =>
    byDepartment.flatMap((groups) => groups.slice(round, round + 1)),
  );
  const groups = rounds.flat();
  return [...groups.flatMap((variants) => variants.slice(0, 1)), ...groups.flatMap((variants) => variants.slice(1))];
}
