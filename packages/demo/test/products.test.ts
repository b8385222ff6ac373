import { describe, expect, it } from '@jest/globals';
import { demoProducts, productDates } from '../src/products.js';
import { existsSync } from 'node:fs';
import { pictureFile } from '../src/pictures.js';

describe('the demo products', () => {
  it('are about eighty, and no two have the same name', () => {
    expect(demoProducts.length).toBeGreaterThanOrEqual(75);
    expect(demoProducts.length).toBeLessThanOrEqual(95);
    expect(new Set(demoProducts.map(({ name }) => name.toLowerCase())).size).toBe(demoProducts.length);
  });

  it.each(demoProducts.map((product) => [product.name, product] as const))(
    'keeps to the field limits: %s',
    (_, product) => {
      expect(product.name).toMatch(/^\S.{0,198}\S$/u);
      expect(product.description).toMatch(/^[A-Z0-9].{30,400}\.$/u);
      expect(Number.isInteger(product.priceCents)).toBe(true);
      expect(product.priceCents).toBeGreaterThan(0);
      expect(product.priceCents).toBeLessThanOrEqual(999_999_999);
      expect(Number.isInteger(product.stock)).toBe(true);
      expect(product.stock).toBeGreaterThanOrEqual(0);
      expect(existsSync(pictureFile(product.picture))).toBe(true);
      for (const text of [product.material, product.size]) expect(text ?? 'none').toMatch(/^\S.*$/u);
    },
  );

  it('are mostly in stock, some running low, few out of stock', () => {
    const soldOut = demoProducts.filter(({ stock }) => stock === 0).length;
    const low = demoProducts.filter(({ stock }) => stock > 0 && stock <= 10).length;
    expect(soldOut).toBeGreaterThanOrEqual(2);
    expect(low).toBeGreaterThanOrEqual(5);
    expect(soldOut + low).toBeLessThan(demoProducts.length / 4);
  });

  it('show seven kinds of things on the first page', () => {
    expect(new Set(demoProducts.slice(0, 7).map(({ picture }) => picture.split('-')[0])).size).toBe(7);
  });

  it('came into the catalogue one after the other, all before now', () => {
    const now = new Date('2026-03-01T12:00:00Z');
    const dates = [...productDates(now).values()].map((date) => date.getTime());
    expect(dates).toEqual([...dates].sort((one, other) => one - other));
    expect(new Set(dates).size).toBe(demoProducts.length);
    expect(dates.at(-1)).toBeLessThan(now.getTime());
  });
});
