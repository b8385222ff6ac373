import { TimeWindow } from '../../platform/http/time-buckets.js';
import { ArrayField, DateTimeField, EnumField, NumberField } from '../../platform/validation/fields.js';

// Unspecified: series over time; the dashboard's figures by the creation time of the things that they count.
export const seriesMetrics = ['revenue', 'orders', 'users', 'testimonials'] as const;
export type SeriesMetric = (typeof seriesMetrics)[number];
export const seriesIntervals = ['day', 'week', 'month'] as const;
export type SeriesInterval = (typeof seriesIntervals)[number];

export class SeriesQuery extends TimeWindow {
  @EnumField(seriesMetrics, {
    description:
      'revenue: of orders that were paid and not refunded; orders: of every status; users: not deleted since',
    example: 'revenue',
  })
  metric: SeriesMetric;
  @EnumField(seriesIntervals, { default: 'day', description: 'The length of a step, in UTC; weeks begin on Mondays' })
  interval: SeriesInterval;
}

export class SeriesPoint {
  @DateTimeField({ description: 'The beginning of the step' })
  at: Date;
  @NumberField({ example: 1290.5 })
  value: number;
}

export class Series {
  @EnumField(seriesMetrics)
  metric: SeriesMetric;
  @EnumField(seriesIntervals)
  interval: SeriesInterval;
  @DateTimeField({ description: 'The beginning of the first step' })
  from: Date;
  @DateTimeField({ description: 'The end of the last step' })
  to: Date;
  @ArrayField(() => SeriesPoint, { description: 'Every step from `from` to `to`, oldest first' })
  points: SeriesPoint[];
}
