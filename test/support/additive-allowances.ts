/**
 * Migrations' statements that affect existing objects, by how each statement begins, with the reason why nodes of the
 * previous release can bear it.
 */
export const allowances: Record<string, [statement: string, reason: string][]> = {
  Payments1764200000000: [
    [
      'ALTER TABLE orders ADD COLUMN paid_total',
      'adds columns whose defaults meet their checks: old nodes write neither',
    ],
    [
      'ALTER TABLE order_items ADD COLUMN restocked',
      'adds a column whose default meets its check: old nodes do not write it',
    ],
  ],
  Baseline1700000000000: [['DO ', 'makes a collation, in a database that is empty']],
};
