import { containing } from '../../database/like-pattern.js';

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

export function searchedOrders(text: string): OrderSearch {
  const words = text.split(/\s+/).filter((word) => word.length > 1);
  return {
    words: words.length === 0 ? null : words.join(' '),
    within: text.length < leastWithin ? null : containing(text.toLowerCase()),
    number: numberIn(text),
  };
}

/** The number of an order that a text is, `#240` too. */
function numberIn(text: string): string | null {
  const number = /^#?([1-9][0-9]{0,9})$/.exec(text)?.[1];
  return number === undefined || Number(number) > maxNumber ? null : number;
}

/** The parameters that hold a search, in the text of a statement. */
export type OrderSearchParameters = Record<keyof OrderSearch, string>;

/**
 * The id, time and total of orders that match a search: those that have its words, those of accounts, and the one of that
 * number; of the first two at most so many, in an order. Only a plan for these very words can choose between walking the
 * orders and looking into the index of words, so the statement has no name under which PostgreSQL would keep a plan.
 */
export function matchingOrders(
  { words, within, number }: OrderSearchParameters,
  where: string,
  { order, most }: { order: string; most: string },
): string {
  const columns = 'o.id, o.created_at, o.total_price';
  const first = `ORDER BY ${order} LIMIT ${most}`;
  return `(SELECT ${columns} FROM order_search JOIN orders o ON o.id = order_id
            WHERE order_search.words @@ name_query(${words})${where} ${first})
     UNION (SELECT ${columns} FROM orders o
             WHERE user_id = ANY (ARRAY(
                     SELECT users.id FROM users
                      WHERE deleted_at IS NULL AND (lower(username) || ' ' || lower(email)) LIKE ${within}
                      LIMIT ${mostAccounts}))${where} ${first})
     UNION (SELECT ${columns} FROM orders o WHERE id = ${number}::integer${where})`;
}
