import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deliveryStatuses } from '../../../src/platform/delivery/delivery-statuses.js';
import { eventsAfter } from '../../../src/store/events/store-events.repository.js';
import { listOfWebhook } from '../../../src/store/webhooks/webhook-deliveries.repository.js';
import { readsOf, rowsIn, walksIn } from '../../support/explain.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const count = 40_000;
const page = 100;
const webhook = '0199a001-0000-7000-8000-000000000001';
const newest = [new Date('2100-01-01'), 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.rows(
    `WITH webhook AS (
       INSERT INTO store_webhooks (id, events, customer_data, enabled, parameters_sealed)
       SELECT id, '{order.paid}', false, true, 'x' FROM (VALUES ('${webhook}'::uuid), (gen_random_uuid())) AS given (id)
       RETURNING id),
     event AS (
       INSERT INTO store_events (id, seq, type, data, created_at)
       SELECT gen_random_uuid(), n, 'order.paid', '{}', now() - (${count} - n) * interval '1 second'
         FROM generate_series(1, ${count}) AS n
       RETURNING id, created_at)
     INSERT INTO webhook_deliveries (id, webhook_id, event_id, url_sealed, payload_bytes, status, created_at)
     SELECT gen_random_uuid(), webhook.id, event.id, 'x', 9, CASE WHEN random() < 0.01 THEN 'EXHAUSTED' ELSE 'DELIVERED' END,
            event.created_at
       FROM event, webhook`,
  );
  await database.rows('ANALYZE');
}, 300_000);
afterAll(() => database.drop());

describe(`Among ${count} events`, () => {
  it.each([[0], [count / 2], [count - 5]])(
    'a page after number %s reads no more than itself, by an index',
    async (seq) => {
      const reads = await readsOf(database, eventsAfter.text, [seq, page]);
      expect(walksIn(reads)).toEqual([]);
      expect(rowsIn(reads)).toBe(Math.min(page, count - seq));
    },
  );

  it.each([[[...deliveryStatuses]], [['EXHAUSTED']]])(
    'lists deliveries of a webhook that are %j by an index',
    async (statuses) => {
      const values = [webhook, ...newest, page, '-infinity', 'infinity', statuses];
      const reads = await readsOf(database, listOfWebhook.text, values);
      expect(rowsIn(reads)).toBeGreaterThanOrEqual(page);
      expect(walksIn(reads).map((read) => read['Relation Name'])).toEqual([]);
      expect(rowsIn(reads)).toBeLessThan(page * 10);
    },
  );
});
