import { Parameters } from '../../database/filtered-statement.js';
import { hasAll, valuesOf } from './catalogue.statements.js';
import { productColumns } from './product-columns.statements.js';
import type { ListSort } from './listings.dto.js';
import type { SearchWords } from './search-words.js';

/** The most matches that are counted, and sorted by themselves; more are walked in the order of the list. */
export const mostCounted = 10_000;
/** The most matches whose values are counted. */
export const mostFacetted = 10_000;
/** The most values of a facet. */
const mostValues = 100;

/** A filter as the listings know it. */
export interface ListingFilter {
  /** The keys that a product must have. */
  all: readonly string[];
  /** Those of which it must have one; null for none. */
  any: readonly string[] | null;
  minPrice: number | undefined;
  maxPrice: number | undefined;
  /** Whether one product of a group is enough. */
  onGroup: boolean;
  /** The words that it must have. */
  words: SearchWords | null;
  /** The product to leave out, with its group. */
  besides?: { id: number; group: string | null };
}

export interface BoundQuery {
  sql: string;
  values: unknown[];
}

/** The conditions of a filter for the listing in a row, each after an AND. */
function conditions(filter: ListingFilter, parameters: Parameters): (row: string) => string {
  const { all, any, minPrice, maxPrice, besides } = filter;
  const pieces: ((row: string) => string)[] = [];
  const add = (value: unknown, piece: (row: string, parameter: string) => string): void => {
    const parameter = parameters.add(value);
    pieces.push((row) => ` AND ${piece(row, parameter)}`);
  };
  if (all.length > 0) add(all, (row, keys) => `${row}.keys @> ${keys}::text[]`);
  if (any !== null) add(any, (row, keys) => `${row}.keys && ${keys}::text[]`);
  if (minPrice !== undefined) add(minPrice, (row, price) => `${row}.price >= ${price}::numeric`);
  if (maxPrice !== undefined) add(maxPrice, (row, price) => `${row}.price <= ${price}::numeric`);
  if (besides) {
    add(besides.id, (row, id) => `${row}.product_id <> ${id}`);
    add(besides.group, (row, group) => `(${row}.group_id = ${group}::uuid) IS NOT TRUE`);
  }
  return (row) => pieces.map((piece) => piece(row)).join('');
}

/** The condition of the words for the text in `s`, after an AND. */
function wordCondition(words: SearchWords | null, parameters: Parameters): string {
  if (!words) return '';
  const before = parameters.values.length;
  for (const value of valuesOf(words)) parameters.add(value);
  return ` AND ${hasAll('s.text_key', words, before)}`;
}

type Direction = 'ASC' | 'DESC';

const orders: Record<ListSort, { key: (row: string) => string; direction: Direction }> = {
  relevance: { key: (row) => `${row}.product_id`, direction: 'ASC' },
  newest: { key: (row) => `${row}.product_id`, direction: 'DESC' },
  price: { key: (row) => `${row}.price`, direction: 'ASC' },
  '-price': { key: (row) => `${row}.price`, direction: 'DESC' },
  rating: { key: (row) => `${row}.rating`, direction: 'DESC' },
  name: { key: (row) => `lower(${row}.name) COLLATE names_in_order`, direction: 'ASC' },
};

/** The order of rows as an index of the listings has it. */
function orderOf(sort: ListSort, row: string): string {
  const { key, direction } = orders[sort];
  return `${key(row)} ${direction}, ${row}.product_id ${direction}`;
}

/** The order of a page: in a search, the exact name comes first, then all words in the name. */
function rankedOrderOf(sort: ListSort, row: string): string {
  return sort === 'relevance' ? `${row}.rank, ${orderOf(sort, row)}` : orderOf(sort, row);
}

/** SQL of the rank of the text in `s`. The words are parameters of the statement after the first `before`. */
function rankOf(words: SearchWords | null, parameters: Parameters, before: number): string {
  if (!words) return '0';
  const text = parameters.add(words.text);
  return `CASE WHEN s.name_key = search_key(${text}) THEN 0 WHEN ${hasAll('s.name_key', words, before)} THEN 1 ELSE 2 END`;
}

/** What counts as one thing. */
function thing(row: string, onGroup: boolean): string {
  return onGroup ? `coalesce(${row}.group_id::text, ${row}.product_id::text)` : `${row}.product_id`;
}

/** The bounds of the walk along the index of prices, each after an AND: within CASE they would not bound it. */
function pricesWalked({ minPrice, maxPrice }: ListingFilter, parameters: Parameters): string {
  const least = minPrice === undefined ? '' : ` AND l.price >= ${parameters.add(minPrice)}::numeric`;
  const most = maxPrice === undefined ? '' : ` AND l.price <= ${parameters.add(maxPrice)}::numeric`;
  return least + most;
}

/**
 * A page of the listings that a filter leaves, in an order, with how many they are. Up to ten thousand are found by their
 * keys and sorted. Of more, an index of the order has a page soon: within CASE the planner does not guess how few they are. It
 * has no name, so that it is planned for these values. Of the products of a group the first in the order stands for all.
 */
export function listingsPage(filter: ListingFilter, sort: ListSort, skip: number, limit: number): BoundQuery {
  const parameters = new Parameters([skip, limit]);
  const where = conditions(filter, parameters);
  const walked = sort === 'price' || sort === '-price' ? pricesWalked(filter, parameters) : '';
  const wordsFrom = parameters.values.length;
  const words = wordCondition(filter.words, parameters);
  const rank = sort === 'relevance' ? rankOf(filter.words, parameters, wordsFrom) : '0';
  const { onGroup } = filter;
  const text = words === '' ? '' : ' JOIN product_search s USING (product_id)';
  const isLeft = (row: string): string => {
    const hasWords =
      words === '' ? '' : ` AND EXISTS (SELECT FROM product_search s WHERE s.product_id = ${row}.product_id${words})`;
    return `CASE WHEN true${where(row)}${hasWords} THEN true ELSE false END`;
  };
  const { key, direction } = orders[sort];
  const isFirst = `
        AND (l.group_id IS NULL OR NOT EXISTS (
          SELECT FROM product_listings o
           WHERE o.group_id = l.group_id AND ${isLeft('o')}
             AND (${key('o')}, o.product_id) ${direction === 'ASC' ? '<' : '>'} (${key('l')}, l.product_id)))`;
  const few = `SELECT l.*, ${rank} AS rank FROM product_listings l${text} WHERE product_id = ANY (ARRAY(SELECT product_id FROM found))`;
  const firsts = `SELECT DISTINCT ON (${thing('f', true)}) f.* FROM (${few}) AS f ORDER BY ${thing('f', true)}, ${rankedOrderOf(sort, 'f')}`;
  const sql = `
  WITH found AS MATERIALIZED (
     SELECT l.product_id, l.group_id FROM product_listings l${text} WHERE true${where('l')}${words} LIMIT ${mostCounted + 1}),
   counted AS MATERIALIZED (
     SELECT count(*) <= ${mostCounted} AS is_few, least(count(DISTINCT ${thing('found', onGroup)}), ${mostCounted})::integer AS total
       FROM found),
   page AS MATERIALIZED (
     SELECT l.* FROM (
       (SELECT l.* FROM (${onGroup ? firsts : few}) AS l
         WHERE (SELECT is_few FROM counted) ORDER BY ${rankedOrderOf(sort, 'l')} LIMIT $1::bigint + $2::bigint)
       UNION ALL
       (SELECT l.*, 0 AS rank FROM product_listings l
         WHERE NOT (SELECT is_few FROM counted) AND ${isLeft('l')}${walked}${onGroup ? isFirst : ''}
         ORDER BY ${orderOf(sort, 'l')} LIMIT $1::bigint + $2::bigint)) AS l
      ORDER BY ${rankedOrderOf(sort, 'l')} OFFSET $1 LIMIT $2)
   SELECT ${productColumns}, counted.total
     FROM counted LEFT JOIN (page l JOIN products p ON p.id = l.product_id) ON true
    ORDER BY ${rankedOrderOf(sort, 'l')}`;
  return { sql, values: parameters.values };
}

/** SQL of a list of values of a column, those of most products first. */
function valuesOfColumn(column: string, counted: string): string {
  return `(SELECT coalesce(json_agg(json_build_object('value', value, 'count', count) ORDER BY count DESC, value), '[]')
             FROM (SELECT min(${column}) AS value, ${counted}::integer AS count FROM item
                    WHERE ${column} IS NOT NULL GROUP BY lower(${column})
                    ORDER BY count DESC, value LIMIT ${mostValues}) AS one)`;
}

/** What a filter leaves, counted by its values. */
export function facets(filter: ListingFilter): BoundQuery {
  const parameters = new Parameters([]);
  const where = conditions(filter, parameters);
  const words = wordCondition(filter.words, parameters);
  const text = words === '' ? '' : ' JOIN product_search s USING (product_id)';
  const counted = `count(DISTINCT ${thing('item', filter.onGroup)})`;
  const sql = `
  WITH found AS MATERIALIZED (
     SELECT l.product_id, l.group_id, l.price, l.keys FROM product_listings l${text} WHERE true${where('l')}${words}
      LIMIT ${mostFacetted}),
   item AS MATERIALIZED (
     SELECT found.*, p.color, p.size, p.material FROM found JOIN products p ON p.id = found.product_id)
   SELECT (SELECT ${counted}::integer FROM item) AS total,
          (SELECT coalesce(json_agg(json_build_object('slug', slug, 'name', name, 'count', count)
                                    ORDER BY count DESC, slug), '[]')
             FROM (SELECT c.slug, c.name, ${counted}::integer AS count
                     FROM item JOIN product_categories pc USING (product_id) JOIN categories c ON c.id = pc.category_id
                    GROUP BY c.id ORDER BY count DESC, c.slug LIMIT ${mostValues}) AS one) AS categories,
          ${valuesOfColumn('color', counted)} AS colors, ${valuesOfColumn('size', counted)} AS sizes,
          ${valuesOfColumn('material', counted)} AS materials,
          (SELECT json_build_object('min', min(price), 'max', max(price)) FROM item) AS price,
          (SELECT ${counted}::integer FROM item WHERE 'stock' = ANY (keys)) AS in_stock`;
  return { sql, values: parameters.values };
}
