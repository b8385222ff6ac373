import { Conflict } from '../../platform/errors/errors.js';
import { mostVariants } from './product-columns.statements.js';

/** The refusal of an article number that another product has. */
export const skuTaken = {
  products_sku_key: () =>
    new Conflict('Another product has this article number (sku): choose another one', 'sku_taken'),
};

export const slugTaken = (slug: string): Conflict =>
  new Conflict(`Another product has or had the slug "${slug}": choose another one`, 'slug_taken');

export const groupFull = (): Conflict =>
  new Conflict(`The group has ${mostVariants} products already: begin another one`, 'group_full');
