/** A month of a table that is partitioned by months: its partition's name and bounds. */
export interface Month {
  name: string;
  from: Date;
  to: Date;
}

function month(table: string, year: number, index: number): Month {
  const from = new Date(Date.UTC(year, index, 1));
  const name = `${table}_${from.getUTCFullYear()}_${String(from.getUTCMonth() + 1).padStart(2, '0')}`;
  return { name, from, to: new Date(Date.UTC(year, index + 1, 1)) };
}

/** The month of a time, in UTC. */
export function monthOf(table: string, time: Date): Month {
  return month(table, time.getUTCFullYear(), time.getUTCMonth());
}

/** The month that a partition of this name holds, or null for any other name. */
export function monthNamed(table: string, name: string): Month | null {
  const [, of, year, index] = /^(.+)_(\d{4})_(\d{2})$/.exec(name) ?? [];
  return of === table && year && index ? month(table, Number(year), Number(index) - 1) : null;
}
