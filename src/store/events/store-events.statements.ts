import { rowJson } from '../../database/row-json.statements.js';
import { addQuietJobsSql } from '../../platform/jobs/jobs.statements.js';

/** The task of the jobs that number new events and pass them on. */
export const eventsTask = 'store-events';

/**
 * SQL of the parts `event` and `told` of a WITH, which write an event for each row of a SELECT (type, user_id, data,
 * customer) and queue the job that passes them on, where somebody listens: for statements that make the change too.
 */
export function writeEventsSql(rows: string): string {
  const listened = '(SELECT FROM event LIMIT 1) AS news WHERE EXISTS (SELECT FROM store_webhooks WHERE enabled)';
  return `event AS (
     INSERT INTO store_events (id, type, user_id, data, customer)
     SELECT gen_random_uuid(), news.* FROM (${rows}) AS news (type, user_id, data, customer)
     RETURNING id),
   told AS (${addQuietJobsSql(eventsTask, { queue: 'ordinary', payload: "'{}'", rows: listened })})`;
}

/** SQL of what is personal of the account `u`; with the addresses of the order `o` where there is one. */
export function customerJson(order?: string): string {
  const shipping =
    order === undefined
      ? ''
      : `, ${rowJson(`${order}.shipping_first_name AS first_name, ${order}.shipping_last_name AS last_name,
          ${order}.shipping_address AS address, ${order}.shipping_city AS city, ${order}.shipping_zip AS zip_code,
          ${order}.shipping_country AS country, ${order}.shipping_phone AS phone`)} AS shipping`;
  return `${rowJson(`u.username, u.email, u.first_name, u.last_name${shipping}`)}::jsonb`;
}

/** SQL that names the account of an event in its data. */
export const customerId = (id: string): string => rowJson(`${id} AS id`);
