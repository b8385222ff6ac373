import { demo } from '../../platform/openapi/demo-values.js';
import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  EnumListField,
  IntegerField,
  ObjectField,
  StringField,
  UuidField,
  UuidListField,
} from '../../platform/validation/fields.js';
import {
  type AttachmentType,
  attachmentTypes,
  type EventLevel,
  eventLevels,
  type EventStage,
  eventStages,
} from '../vocabulary.js';
import { SinceField, TotalCountField, TotalField, UntilField } from '../counted-lists.js';
import { searchLength } from '../search-text.js';
import { ResourceScan } from '../scans/scans.dto.js';
import { cursorLength } from './arrival-cursor.js';
import { Exchange, Screenshot, Snippet } from './scan-event-append.dto.js';

/** The details of an event beside its text; it has only the object that its type names. */
export class EventAttachment {
  @UuidField()
  id: string;
  @EnumField(attachmentTypes)
  type: AttachmentType;
  @DateTimeField()
  createdAt: string;
  @ObjectField(() => Exchange, { optional: true })
  exchange?: Exchange;
  @ObjectField(() => Snippet, { optional: true })
  snippet?: Snippet;
  @ObjectField(() => Screenshot, { optional: true })
  screenshot?: Screenshot;
}

/** A scan event as lists show it: all fields but the description. */
export class ScanEventSummary {
  @UuidField()
  id: string;
  @DateTimeField()
  createdAt: Date;
  @EnumField(eventLevels)
  level: EventLevel;
  @EnumField(eventStages)
  stage: EventStage;
  @StringField({ example: 'Login form found' })
  title: string;
  @UuidField()
  scanId: string;
  @IntegerField({ min: 0 })
  issuesCount: number;
  @ArrayField(() => EventAttachment)
  attachments: EventAttachment[];
}

/** A scan event. */
export class ScanEvent extends ScanEventSummary {
  @StringField({ example: 'The form at /login posts a name and a password.' })
  description: string;
  @UuidListField({ description: 'The assets that the event is about' })
  assetIds: string[];
  @UuidListField({ description: 'The issues that the event is about' })
  issueIds: string[];
}

export class ScanEventPage {
  @ArrayField(() => ScanEventSummary)
  data: ScanEventSummary[];
  @StringField({ nullable: true })
  nextCursor: string | null;
  @TotalCountField()
  totalCount?: number;
}

/** The filters of events, without text search; an event has to match all given ones. */
export class EventScope {
  @UuidListField({ optional: true, description: 'Events of scans of any of these profiles' })
  profileIds?: string[];
  @UuidListField({ optional: true })
  scanIds?: string[];
  @UuidListField({ optional: true, description: 'Events about any of these assets' })
  assetIds?: string[];
  @UuidListField({ optional: true, description: 'Events about any of these issues' })
  issueIds?: string[];
  @EnumListField(eventStages, { optional: true })
  stages?: EventStage[];
  @EnumListField(eventLevels, { optional: true })
  levels?: EventLevel[];
  // Unspecified: the meaning of false. It asks for events without attachments.
  @BooleanField({ optional: true, description: 'true: events that have attachments; false: those that have none' })
  hasAttachments?: boolean;
  @EnumListField(attachmentTypes, { optional: true, description: 'Events with an attachment of any of these types' })
  attachments?: AttachmentType[];
}

/** The filters of events. */
export class EventConditions extends EventScope {
  // Unspecified: the longest search text.
  @StringField({
    optional: true,
    maxLength: 200,
    description: `Text in title, description or attachments, ignoring case: ${searchLength}`,
  })
  search?: string;
}

const sizeField = {
  min: 1,
  max: 100,
  default: 50,
  description:
    'The maximum number of entries. Large entries come in smaller pages; nextCursor says whether there are more',
};

export class EventFilter extends EventConditions {
  @IntegerField(sizeField)
  size: number;
  @StringField({ optional: true, maxLength: 200, description: 'The nextCursor of the previous page' })
  cursor?: string;
  @SinceField()
  since?: string;
  @UntilField()
  until?: string;
  @TotalField()
  total: boolean;
}

/** The filters that followers can ask for. */
export const followable = ['EVENTS', 'SCANS'] as const;
export type Followable = (typeof followable)[number];

/** The subject of a stream: events by the filters of lists, and changes of scans. */
export class FollowedConditions extends EventConditions {
  @EnumListField(followable, {
    optional: true,
    description:
      'EVENTS (the default); SCANS: each scan after it was created or changed, filtered by scanIds and ' +
      'profileIds; or both',
  })
  follow?: Followable[];
}

export class EventArrivalFilter extends FollowedConditions {
  @IntegerField(sizeField)
  size: number;
  @StringField({
    optional: true,
    maxLength: cursorLength,
    description:
      'The nextCursor of the previous response. Without it, the response is empty and its nextCursor means: ' +
      'from now on',
  })
  after?: string;
}

export class EventStreamFilter extends FollowedConditions {
  @StringField({
    optional: true,
    maxLength: cursorLength,
    description:
      'The id of the last message, or a nextCursor of GET /api/v1/events/arrivals; the header Last-Event-ID takes ' +
      'precedence. Without both, the stream begins now',
  })
  after?: string;
}

export class EventArrivals {
  @ArrayField(() => ScanEventSummary)
  data: ScanEventSummary[];
  @StringField({
    description: 'Send this as `after` in the next call, at once if `more` is true, else a little later',
    example: 'MTc2Mzc4',
  })
  nextCursor: string;
  @BooleanField({ description: 'Whether more have already arrived' })
  more: boolean;
  @ArrayField(() => ResourceScan, {
    optional: true,
    description: 'If follow has SCANS: the scans that were created or changed, each in its current state',
  })
  scans?: ResourceScan[];
}

export class EventPath {
  @UuidField({ example: demo('event') })
  id: string;
}
