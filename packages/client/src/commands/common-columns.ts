import type { Column } from '../output/table.js';

/** Whole at every width, unless --short is given: a truncated id cannot be copied. */
export const idColumn: Column<{ id: string }> = { head: 'ID', value: ({ id }) => id, width: 36, least: 36, isId: true };

/** A time, which is shortened to the minute if it does not fit. */
export function timeColumn<Row>(head: string, value: (row: Row) => string | null): Column<Row> {
  return {
    head,
    value: (row) => value(row) ?? '-',
    short: (row) => value(row)?.slice(5, 16).replace('T', ' ') ?? '-',
    width: 24,
    least: 11,
  };
}

export const createdColumn: Column<{ createdAt: string }> = timeColumn('CREATED AT', ({ createdAt }) => createdAt);
