import { boundedRows, shopPageBytes } from '../../database/bounded-rows.statements.js';
import { FilteredStatement } from '../../database/filtered-statement.js';
import { hasWords, searchedAccounts } from '../users/name-search.statements.js';
import { storedOrderJson } from './order-json.statements.js';
import { type OrderSort, orderSorts } from './orders.dto.js';

/** A query of its own, as with accounts. */
const ofSearched = (searched: string) => `
  SELECT id FROM orders
   WHERE user_id = ANY (ARRAY(${searchedAccounts(searched)} LIMIT 1000))
      OR ${hasWords(`coalesce(shipping_first_name, '') || ' ' || coalesce(shipping_last_name, '')`, searched)}`;

/** The filters of lists of orders. */
export const conditions = {
  status: (value: string) => `status = ${value}`,
  since: (value: string) => `created_at >= ${value}`,
  until: (value: string) => `created_at < ${value}`,
  userId: (value: string) => `user_id = ${value}`,
  customer: (value: string) => `id = ANY (ARRAY(${ofSearched(value)}))`,
  search: (value: string) => `id = ANY (ARRAY(${ofSearched(value)}) || (${value}::text[])[3]::integer)`,
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
const pageBy = (sort: OrderSort) =>
  new FilteredStatement(
    `orders.page.${sort}`,
    conditions,
    (where) => `
  WITH page AS MATERIALIZED (
    SELECT o.id, count(*) OVER () AS asked,
           sum(lines.count) OVER (ORDER BY ${orderBy(sort, 'o.')} ROWS UNBOUNDED PRECEDING) - lines.count AS lines_before
      FROM orders o CROSS JOIN LATERAL (SELECT count(*) FROM order_items WHERE order_id = o.id) AS lines
     WHERE o.id = ANY (ARRAY(${sortedOrders(sort, where)} OFFSET $1 LIMIT $2)))
  ${boundedRows(
    `SELECT o.id, o.created_at, o.total_price, o.reached, page.asked, ${storedOrderJson} AS "order",
            CASE WHEN u.deleted_at IS NULL THEN u.username ELSE 'deleted' END AS username
       FROM page JOIN orders o ON o.id = page.id JOIN users u ON u.id = o.user_id
      WHERE page.lines_before < ${mostLines}`,
    orderBy(sort, 'e.'),
    'octet_length(e."order"::text)',
    shopPageBytes,
  )}`,
  );

export const ordersPages = Object.fromEntries(orderSorts.map((sort) => [sort, pageBy(sort)])) as Record<
  OrderSort,
  ReturnType<typeof pageBy>
>;

export const ordersCount = new FilteredStatement(
  'orders.count',
  conditions,
  (where) => `SELECT count(*)::integer AS count FROM orders WHERE true${where}`,
);
