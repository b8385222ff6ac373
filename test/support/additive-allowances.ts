/**
 * Migrations' statements that affect existing objects, by how each statement begins, with the reason why nodes of the
 * previous release can bear it.
 */
export const allowances: Record<string, [statement: string, reason: string][]> = {
  Baseline1700000000000: [['DO ', 'makes a collation, in a database that is empty']],
};
