import { ArrayField, DateTimeField, EnumField, IntegerField, ObjectField } from '../../platform/validation/fields.js';
import { type EventLevel, eventLevels } from '../vocabulary.js';
import { EventScope } from './scan-events.dto.js';

export const histogramIntervals = ['hour', 'day'] as const;
export type HistogramInterval = (typeof histogramIntervals)[number];

/** The filters of a histogram, without `search`: a count reads all matches, and text search is expensive. */
export class EventHistogramFilter extends EventScope {
  @EnumField(histogramIntervals, { default: 'hour', description: 'The length of a step, in UTC' })
  interval: HistogramInterval;
  @DateTimeField({
    optional: true,
    description:
      'The first moment, moved back to the beginning of its step. By default 48 hours or 30 days before `to` ' +
      'by default',
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

/** The number of events of each level. */
export class EventsByLevel {}
for (const level of eventLevels) IntegerField({ min: 0 })(EventsByLevel.prototype, level);

export class EventBucket {
  @DateTimeField({ description: 'The beginning of the step' })
  at: Date;
  @IntegerField({ min: 0 })
  total: number;
  @ObjectField(() => EventsByLevel)
  byLevel: Record<EventLevel, number>;
}

/** The number of events over time. */
export class EventHistogram {
  @EnumField(histogramIntervals)
  interval: HistogramInterval;
  @DateTimeField({ description: 'The beginning of the first step' })
  from: Date;
  @DateTimeField({ description: 'The end of the last step' })
  to: Date;
  @ArrayField(() => EventBucket, { description: 'Every step from `from` to `to`, oldest first' })
  buckets: EventBucket[];
}
