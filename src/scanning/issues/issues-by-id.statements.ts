/**
 * SQL of the issues `i` that a query lists the ids of: one probe of the key for each. While a first large import is under way,
 * the statistics may say that there are pages of issues and no issue in them; a join of any other kind would then compare each
 * issue with each id.
 */
export const issuesById = (ids: string): string => `(SELECT DISTINCT id FROM (${ids}) AS asked (id) OFFSET 0) AS asked
  CROSS JOIN LATERAL (SELECT * FROM issues WHERE issues.id = asked.id OFFSET 0) AS i`;
