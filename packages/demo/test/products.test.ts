import { describe, expect, it } from '@jest/globals';
import type { DemoProduct } from '../src/data/shop/products/demo-product.js';
import { demoProducts, departments, productDates } from '../src/products.js';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pictureFile } from '../src/pictures.js';

describe('the demo products', () => {
  it('are forty groups with about 150 variants, and no two have the same name or number', () => {
    expect(new Set(demoProducts.map(({ group }) => group)).size).toBe(40);
    expect(demoProducts.length).toBeGreaterThanOrEqual(130);
    expect(demoProducts.length).toBeLessThanOrEqual(180);
    expect(new Set(demoProducts.map(({ sku }) => sku)).size).toBe(demoProducts.length);
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
      for (const { name } of product.pictures) expect(existsSync(pictureFile(name))).toBe(true);
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

  it('show each picture of the folder, one for each color of a group, all of them small', () => {
    const shown = new Set(demoProducts.flatMap(({ pictures }) => pictures.map(({ name }) => name)));
    const files = readdirSync(dirname(pictureFile('any'))).filter((file) => !/^(?:avatar|photo)-/.test(file));
    expect(files.sort()).toEqual([...shown].map((name) => `${name}.webp`).sort());
    const colors = departments.flatMap(({ shelves }) =>
      shelves.flatMap(({ groups }) => groups.flatMap((one) => one.colors)),
    );
    expect(shown.size).toBe(colors.length);
    const bytes = [...shown].map((name) => statSync(pictureFile(name)).size);
    expect(Math.max(...bytes)).toBeLessThanOrEqual(40_000);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(4_000_000);
  });

  it('begin with one of each group, departments in turn', () => {
    const firsts = demoProducts.slice(0, 40);
    expect(firsts.map(({ name }) => name)).toEqual(firsts.map(({ group }) => group));
    const departmentOf = ({ category }: DemoProduct) =>
      departments.find(({ shelves }) => shelves.some(({ slug }) => slug === category))?.slug;
    expect(firsts.slice(0, 4).map(departmentOf)).toEqual(departments.map(({ slug }) => slug));
  });

  it('of a group differ in color or size, and have as many stocks as variants', () => {
    for (const { groups } of departments.flatMap(({ shelves }) => shelves)) {
      for (const { name, colors, sizes, stock } of groups) {
        expect([name, stock.length]).toEqual([name, colors.length * sizes.length]);
        const variants = demoProducts.filter(({ group }) => group === name);
        expect(new Set(variants.map(({ color, size }) => `${color} ${size}`)).size).toBe(stock.length);
      }
    }
  });

  it('came into the catalogue one after the other, all before now', () => {
    const now = new Date('2026-03-01T12:00:00Z');
    const dates = [...productDates(now).values()].map((date) => date.getTime());
    expect(dates).toEqual([...dates].sort((one, other) => one - other));
    expect(new Set(dates).size).toBe(demoProducts.length);
    expect(dates.at(-1)).toBeLessThan(now.getTime());
  });
});
