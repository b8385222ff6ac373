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
};
