import { statement } from '../../database/database.js';
import { containing } from '../../database/like-pattern.js';

/** Makes some orders searchable that were noted as new; returns how many. */
export const indexNew = statement(
  'orders.index-new',
  `WITH noted AS (
     DELETE FROM unindexed_orders
      WHERE order_id = ANY (ARRAY(
              SELECT order_id FROM unindexed_orders ORDER BY order_id DESC LIMIT 1000 FOR UPDATE))
     RETURNING order_id),
   listed AS MATERIALIZED (SELECT coalesce(array_agg(order_id), '{}') AS ids FROM noted),
   indexed AS MATERIALIZED (SELECT index_orders(ids) FROM listed WHERE cardinality(ids) > 0)
   SELECT cardinality(ids) AS count FROM listed LEFT JOIN indexed ON true`,
);

/** The shortest text that is searched for within a username or e-mail address. */
const leastWithin = 3;
/** The most accounts whose username or e-mail address has a text inside. */
const mostAccounts = 1_000;
/** The largest number of an order that the database can hold. */
const maxNumber = 2_147_483_647;

/** A search of orders, in the forms that its statement takes. */
export interface OrderSearch {
  /** The words, which begin words of the order. */
  words: string | null;
  /** The pattern of usernames and e-mail addresses. */
  within: string | null;
  number: string | null;
}

/** What a text looks for. `#240` is an order's number and nothing else. */
export function searchedOrders(text: string): OrderSearch {
  const number = numberIn(text);
  if (number !== null && text.startsWith('#')) return { words: null, within: null, number };
  const words = text.split(/\s+/).filter((word) => word.length > 1);
  return {
    words: words.length === 0 ? null : words.join(' '),
    within: text.length < leastWithin ? null : containing(text.toLowerCase()),
    number,
  };
}

/** The number of an order that a text is, `#240` too. */
function numberIn(text: string): string | null {
  const number = /^#?([1-9][0-9]{0,9})$/.exec(text)?.[1];
  return number === undefined || Number(number) > maxNumber ? null : number;
}

/** The parameters that hold a search, in the text of a statement. */
export type OrderSearchParameters = Record<keyof OrderSearch, string>;

/** More matches than these are not looked up: the newest of them are found soon where the orders are walked. */
const mostLookedUp = 10_000;

/**
 * The id, time and total of orders that match a search: those that have its words, those of accounts, and the one of that
 * number; of each kind at most so many, in an order. The statement has no name under which PostgreSQL would keep a plan: only
 * one for these very words can choose how to find them. Within CASE the planner does not guess how many orders have them.
 */
export function matchingOrders(
  { words, within, number }: OrderSearchParameters,
  where: string,
  { order, most }: { order: string; most: string },
): string {
  const columns = 'o.id, o.created_at, o.total_price';
  const first = `ORDER BY ${order} LIMIT ${most}`;
  const hasWords = `order_search.words @@ name_query(${words})`;
  return `WITH found AS MATERIALIZED (
       SELECT ARRAY(SELECT order_id FROM order_search WHERE ${hasWords} LIMIT ${mostLookedUp + 1}) AS ids)
     (SELECT ${columns} FROM orders o
       WHERE (SELECT cardinality(ids) <= ${mostLookedUp} FROM found)
         AND id = ANY ((SELECT ids FROM found)::integer[])${where} ${first})
     UNION (SELECT ${columns} FROM orders o
             WHERE (SELECT cardinality(ids) > ${mostLookedUp} FROM found)
               AND CASE WHEN (SELECT ${hasWords} FROM order_search WHERE order_id = o.id) THEN true ELSE false END
                   ${where} ${first})
     UNION (SELECT o.*
              FROM (SELECT id FROM users
                     WHERE deleted_at IS NULL AND (lower(username) || ' ' || lower(email)) LIKE ${within}
                     LIMIT ${mostAccounts}) AS account
             CROSS JOIN LATERAL (SELECT ${columns} FROM orders o WHERE o.user_id = account.id${where} ${first}) AS o
             ${first})
     UNION (SELECT ${columns} FROM orders o WHERE id = ${number}::integer${where})`;
}
