import { Invalid } from '../errors/invalid.js';
import { DateTimeField } from '../validation/fields.js';

/** The period of figures, as a query. */
export class TimeWindow {
  @DateTimeField({
    optional: true,
    description: 'The first moment, moved back to the beginning of its step. By default, some steps before `to`',
    example: '2026-11-01T00:00:00Z',
  })
  from?: string;
  @DateTimeField({
    optional: true,
    description: 'The moment after the last one, moved on to the end of its step. Now by default',
    example: '2026-11-22T00:00:00Z',
  })
  to?: string;
}

export type Interval = 'hour' | 'day' | 'week' | 'month';

/** A period, cut into buckets that begin at `starts`; each ends where the next one begins, the last at `to`. */
export interface TimeBuckets {
  from: Date;
  to: Date;
  starts: Date[];
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The shortest length of a step. */
const shortestMs: Record<Interval, number> = { hour: hourMs, day: dayMs, week: 7 * dayMs, month: 28 * dayMs };
/** The number of steps without a `from`. */
const defaultSteps: Record<Interval, number> = { hour: 48, day: 30, week: 26, month: 12 };
const mondayBeforeEpoch = -3 * dayMs;
const latest = new Date('9999-12-31T23:59:59.999Z');

/** The beginning of the step, `ahead` steps after the one that a moment lies in, in UTC; weeks begin on Mondays. */
function startOfStep(moment: Date, interval: Interval, ahead = 0): Date {
  if (interval === 'month') {
    const start = new Date(0);
    start.setUTCFullYear(moment.getUTCFullYear(), moment.getUTCMonth() + ahead, 1);
    return start;
  }
  const length = shortestMs[interval];
  const origin = interval === 'week' ? mondayBeforeEpoch : 0;
  return new Date(origin + (Math.floor((moment.getTime() - origin) / length) + ahead) * length);
}

/**
 * Cuts a period into steps of an interval, in UTC, `maxSteps` at most. Throws `Invalid` at `from` if it does not lie
 * before `to` or there are too many steps; at `to` beyond the years that JSON can write.
 */
export function bucketsOf({ from, to }: TimeWindow, interval: Interval, maxSteps: number): TimeBuckets {
  const end = to === undefined ? new Date() : new Date(to);
  const lastStart = startOfStep(end, interval);
  const ending = lastStart.getTime() === end.getTime() ? end : startOfStep(end, interval, 1);
  const beginning = startOfStep(
    from === undefined ? ending : new Date(from),
    interval,
    from === undefined ? -defaultSteps[interval] : 0,
  );
  if (ending > latest) throw refused('to', 'The last step should end within the year 9999', to);
  if (beginning >= ending) throw refused('from', 'Input should lie before `to`', from);
  if (ending.getTime() - beginning.getTime() > maxSteps * shortestMs[interval]) {
    throw refused(
      'from',
      `There may be at most ${maxSteps} steps: send a later \`from\`, or choose longer steps`,
      from,
    );
  }
  const starts: Date[] = [];
  for (let start = beginning; start < ending; start = startOfStep(start, interval, 1)) starts.push(start);
  return { from: beginning, to: ending, starts };
}

function refused(field: 'from' | 'to', why: string, input: string | undefined): Invalid {
  return Invalid.at(['query', field], 'value_error', why, input);
}

/**
 * The figures of all steps, from rows numbered from 1 as by `width_bucket`: `figure` makes each from a row, or from
 * none.
 */
export function inBuckets<Row extends { step: number }, T>(
  { starts }: TimeBuckets,
  rows: Row[],
  figure: (start: Date, rows: Row[], index: number) => T,
): T[] {
  const byStep = new Map<number, Row[]>();
  for (const row of rows) {
    const ofStep = byStep.get(row.step) ?? [];
    ofStep.push(row);
    byStep.set(row.step, ofStep);
  }
  return starts.map((start, at) => figure(start, byStep.get(at + 1) ?? [], at));
}
