const prefix = 'scan_events_';
const namePattern = /^scan_events_(\d{4})_(\d{2})$/;

/** A month of events: its partition's name and bounds. */
export interface EventMonth {
  name: string;
  from: Date;
  to: Date;
}

function month(year: number, index: number): EventMonth {
  const from = new Date(Date.UTC(year, index, 1));
  const name = `${prefix}${from.getUTCFullYear()}_${String(from.getUTCMonth() + 1).padStart(2, '0')}`;
  return { name, from, to: new Date(Date.UTC(year, index + 1, 1)) };
}

/** The month of a time, in UTC. */
export function monthOf(time: Date): EventMonth {
  return month(time.getUTCFullYear(), time.getUTCMonth());
}

/** The month that a partition of this name holds, or null for any other name. */
export function monthNamed(name: string): EventMonth | null {
  const [, year, index] = namePattern.exec(name) ?? [];
  return year && index ? month(Number(year), Number(index) - 1) : null;
}
