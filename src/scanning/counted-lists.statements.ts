/** The bound up to which lists are counted: beyond it, callers only want to know that there are more. */
export const countedUpTo = 10_000;

/** SQL of the number of rows, as `totalCount`, counted up to the bound of lists. */
export function boundedCount(from: string): string {
  return `SELECT count(*)::integer AS "totalCount" FROM (SELECT FROM ${from} LIMIT ${countedUpTo + 1}) AS counted`;
}

/** The conditions on the creation time of rows, as `listed` filters. */
export const madeBetween = (row: string) => ({
  since: (time: string) => `${row}.created_at >= ${time}`,
  until: (time: string) => `${row}.created_at < ${time}`,
});
