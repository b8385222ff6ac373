/**
 * Migrations' statements that affect existing objects, by how each statement begins, with the reason why nodes of the
 * previous release can bear it.
 */
export const allowances: Record<string, [statement: string, reason: string][]> = {
  Baseline1700000000000: [['DO ', 'makes a collation, in a database that is empty']],
  Payments1764200000000: [
    ['ALTER TABLE orders ADD COLUMN paid_total', 'its checks hold for every row of before: nothing was paid'],
    ['ALTER TABLE order_items ADD COLUMN restocked', 'the check holds for every row of before: none came back'],
  ],
  OrderSearch1764230000000: [
    ['CREATE TRIGGER orders_added', 'orders of old nodes are found too, and none is refused'],
    ['CREATE TRIGGER orders_addressed', 'the same, where they remove an address'],
    ['CREATE TRIGGER users_renamed', 'the same, where they change a name'],
  ],
  StoreEvents1764240000000: [
    [
      'ALTER TABLE webhook_deliveries ALTER COLUMN organization_id DROP NOT NULL',
      'old nodes write it always, and read only what they find by it',
    ],
    [
      'ALTER TABLE webhook_deliveries ALTER COLUMN run_id DROP NOT NULL',
      'old nodes write it always, and read only what they find by it',
    ],
    [
      'ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_user_check',
      'holds for all that old nodes write; the table is read while others write',
    ],
    ['ALTER TABLE webhook_deliveries VALIDATE CONSTRAINT', 'reads the table while others write'],
  ],
  StoreDeliveries1764240000001: [
    [
      'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_event_key',
      'only on the column that old nodes do not know',
    ],
  ],
};
