import { boundedRows, shopPageBytes } from '../../database/bounded-rows.statements.js';
import { FilterConditions, FilteredStatement, type Given, Parameters } from '../../database/filtered-statement.js';
import { hasWords, searchedAccounts } from '../users/name-search.statements.js';
import { storedOrderJson } from './order-json.statements.js';
import { inQueue } from './order-queues.statements.js';
import { matchingOrders, type OrderSearch, type OrderSearchParameters } from './order-search.statements.js';
import { type OrderSort, orderSorts } from './orders.dto.js';

/** A query of its own, as with accounts. */
const ofSearched = (searched: string) => `
  SELECT id FROM orders
   WHERE user_id = ANY (ARRAY(${searchedAccounts(searched)} LIMIT 1000))
      OR ${hasWords(`coalesce(shipping_first_name, '') || ' ' || coalesce(shipping_last_name, '')`, searched)}`;

/** The filters of lists of orders. */
export const conditions = {
  status: (value: string) => `status = ${value}`,
  statuses: (value: string) => `status = ANY (${value}::text[])`,
  to_ship: inQueue.to_ship,
  unpaid: inQueue.unpaid,
  problems: inQueue.problems,
  returns: inQueue.returns,
  since: (value: string) => `created_at >= ${value}`,
  until: (value: string) => `created_at < ${value}`,
  userId: (value: string) => `user_id = ${value}`,
  customer: (value: string) => `id = ANY (ARRAY(${ofSearched(value)}))`,
  number: (value: string) => `id = ${value}`,
};

/** The most matches of a filter that are sorted by total: only the list of all orders has an index in that order. */
const mostSorted = 10_000;
/** A page ends after the order that has this line, so that no more are put together for one answer. */
const mostLines = 5_000;

function orderBy(sort: OrderSort, row = ''): string {
  const direction = sort.startsWith('-') ? ' DESC' : '';
  return `${row}${sort.endsWith('total') ? 'total_price' : 'created_at'}${direction}, ${row}id${direction}`;
}

function sortedOrders(sort: OrderSort, where: string): string {
  const isIndexed = where === '' || !sort.endsWith('total');
  if (isIndexed) return `SELECT id FROM orders WHERE true${where} ORDER BY ${orderBy(sort)}`;
  return `SELECT id FROM (
      SELECT id, total_price FROM orders WHERE true${where} ORDER BY ${orderBy('-created_at')} LIMIT ${mostSorted}) AS newest
    ORDER BY ${orderBy(sort)}`;
}

/**
 * Builds only the orders of the page, and of these as many as fit one: those before it cost an index entry each. The planner
 * looks an array of ids up by the primary key, even where it does not know the LIMIT. `asked` is how many the page would
 * have, were they small.
 */
function pageOf(ids: string, sort: OrderSort): string {
  return `
  WITH page AS MATERIALIZED (
    SELECT o.id, count(*) OVER () AS asked,
           sum(lines.count) OVER (ORDER BY ${orderBy(sort, 'o.')} ROWS UNBOUNDED PRECEDING) - lines.count AS lines_before
      FROM orders o CROSS JOIN LATERAL (SELECT count(*) FROM order_items WHERE order_id = o.id) AS lines
     WHERE o.id = ANY (ARRAY(${ids} OFFSET $1 LIMIT $2)))
  ${boundedRows(
    `SELECT o.id, o.created_at, o.total_price, o.reached, page.asked, ${storedOrderJson} AS "order",
            CASE WHEN u.deleted_at IS NULL THEN u.username ELSE 'deleted' END AS username
       FROM page JOIN orders o ON o.id = page.id JOIN users u ON u.id = o.user_id
      WHERE page.lines_before < ${mostLines}`,
    orderBy(sort, 'e.'),
    'octet_length(e."order"::text)',
    shopPageBytes,
  )}`;
}

const pageBy = (sort: OrderSort) =>
  new FilteredStatement(`orders.page.${sort}`, conditions, (where) => pageOf(sortedOrders(sort, where), sort));

export const ordersPages = Object.fromEntries(orderSorts.map((sort) => [sort, pageBy(sort)])) as Record<
  OrderSort,
  ReturnType<typeof pageBy>
>;

export const ordersCount = new FilteredStatement(
  'orders.count',
  conditions,
  (where) => `SELECT count(*)::integer AS count FROM orders WHERE true${where}`,
);

const filters = new FilterConditions(conditions);

/** SQL with all its values, which the planner is to see. */
interface PlannedSql {
  sql: string;
  values: unknown[];
}

function searching({ words, within, number }: OrderSearch, parameters: Parameters): OrderSearchParameters {
  return { words: parameters.add(words), within: parameters.add(within), number: parameters.add(number) };
}

/** Which matches are read, of which the page is taken: for an order by total, the newest. */
function firstOf(sort: OrderSort): { order: string; most: string } {
  if (sort.endsWith('total')) return { order: orderBy('-created_at', 'o.'), most: String(mostSorted) };
  return { order: orderBy(sort, 'o.'), most: '$1::bigint + $2' };
}

/** The page of the matches of a search. */
export function searchPage(
  [skip, limit]: [number, number],
  search: OrderSearch,
  given: Given<keyof typeof conditions>,
  sort: OrderSort,
): PlannedSql {
  const parameters = new Parameters([skip, limit]);
  const where = filters.sql(given, parameters);
  const matching = matchingOrders(searching(search, parameters), where, firstOf(sort));
  const ids = `SELECT id FROM (${matching}) AS matching ORDER BY ${orderBy(sort)}`;
  return { sql: pageOf(ids, sort), values: parameters.values };
}

/** The page of orders of several statuses: the index has the order of each. */
export function statusesPage(
  [skip, limit]: [number, number],
  given: Given<keyof typeof conditions>,
  sort: OrderSort,
): PlannedSql {
  const parameters = new Parameters([skip, limit]);
  const statuses = parameters.add(given.statuses);
  const where = filters.sql(given, parameters, ['statuses']);
  const { order, most } = firstOf(sort);
  const ids = `
    SELECT id FROM (
      SELECT o.* FROM unnest(${statuses}::text[]) AS asked (one)
       CROSS JOIN LATERAL (SELECT id, created_at, total_price FROM orders o
                            WHERE o.status = asked.one${where} ORDER BY ${order} LIMIT ${most}) AS o
       ORDER BY ${order} LIMIT ${most}) AS matching
     ORDER BY ${orderBy(sort)}`;
  return { sql: pageOf(ids, sort), values: parameters.values };
}

/** How many orders match a search, counted up to 10,000. */
export function searchCount(search: OrderSearch, given: Given<keyof typeof conditions>): PlannedSql {
  const parameters = new Parameters([]);
  const where = filters.sql(given, parameters);
  const matching = matchingOrders(searching(search, parameters), where, firstOf('total'));
  const sql = `SELECT least(count(*), ${mostSorted})::integer AS count FROM (${matching}) AS matching`;
  return { sql, values: parameters.values };
}
