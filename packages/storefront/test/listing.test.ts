import { describe, expect, it } from '@jest/globals';
import { addressOf, chosenOf, hasFilters } from '../src/lib/listing.js';

const read = (address: string) => chosenOf(new URLSearchParams(address), 'rating');

describe('chosenOf', () => {
  it('reads filters, order and page', () => {
    expect(read('color=Blue&min_price=3,5&max_price=20&in_stock=true&sort=-price&page=2')).toMatchObject({
      color: 'Blue',
      min_price: 3.5,
      max_price: 20,
      in_stock: true,
      sort: '-price',
      page: 2,
    });
  });

  it.each([
    '',
    'color=&min_price=',
    'min_price=-1&max_price=abc',
    'page=0',
    'page=1.5',
    'page=1e9',
    'sort=;drop',
    'in_stock=1',
  ])('takes what makes no sense for left out: %s', (address) => {
    const chosen = read(address);
    expect(hasFilters(chosen)).toBe(false);
    expect(chosen).toMatchObject({ sort: 'rating', page: 1 });
  });

  it('cuts what is longer than the service takes', () => {
    expect(read(`q=${'a'.repeat(999)}`).q).toHaveLength(200);
    expect(read(`color=${'a'.repeat(999)}`).color).toHaveLength(100);
  });
});

describe('addressOf', () => {
  it('says nothing that is usual anyway', () => {
    expect(addressOf('/search', read(''), {}, 'rating')).toBe('/search');
    expect(addressOf('/search', read('sort=price&color=Blue'), { color: undefined }, 'rating')).toBe(
      '/search?sort=price',
    );
  });

  it('begins at the first page again with another filter', () => {
    expect(addressOf('/c/mugs', read('page=3'), { size: '1 l' }, 'rating')).toBe('/c/mugs?size=1+l');
    expect(addressOf('/c/mugs', read('size=M'), { page: 3 }, 'rating')).toBe('/c/mugs?size=M&page=3');
  });

  it('is read back as it was meant', () => {
    const chosen = read('q=a%26b&color=Light+Blue&min_price=3.5&in_stock=true&sort=name&page=4');
    const address = addressOf('/search', chosen, { page: 4 }, 'rating');
    expect(read(address.slice(address.indexOf('?') + 1))).toEqual(chosen);
  });
});
