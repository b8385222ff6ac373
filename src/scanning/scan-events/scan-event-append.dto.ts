import {
  ArrayField,
  DateTimeField,
  EnumField,
  IntegerField,
  JsonField,
  NumberField,
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
  maxLine,
} from '../vocabulary.js';

// Unspecified: the bounds of texts and lists; generous, and within the bound of a whole event.
const maxText = 500_000;
const maxUrl = 65_536;
const maxName = 1_000;
/** The most assets, and the most issues, that an event may name. */
export const maxIds = 100;
const maxAttachments = 20;
const maxDurationMs = 1e12;
const left = { optional: true, nullable: 'ignored' } as const;
const pictureAddress = {
  minLength: 1,
  maxLength: maxText,
  pattern: /^(https?:\/\/\S+|data:image\/(png|jpeg|webp|gif|avif);base64,[A-Za-z0-9+/=]+)$/,
  patternHint: 'Input should be an http(s) URL, or a data URL of a picture',
};

export class ExchangeRequest {
  @StringField({ minLength: 1, maxLength: 100, example: 'GET' })
  method: string;
  @StringField({ minLength: 1, maxLength: maxUrl, example: 'https://shop.example.com/login' })
  url: string;
  @JsonField({ ...left, description: 'By name' })
  headers?: Record<string, unknown>;
  @StringField({ ...left, maxLength: maxText })
  body?: string;
}

export class ExchangeResponse {
  @IntegerField({ min: 0, max: 999, example: 200 })
  status: number;
  @JsonField({ ...left, description: 'By name' })
  headers?: Record<string, unknown>;
  @StringField({ ...left, maxLength: maxText })
  body?: string;
}

export class Exchange {
  @ObjectField(() => ExchangeRequest)
  request: ExchangeRequest;
  @ObjectField(() => ExchangeResponse, { ...left, description: 'Absent if none was sent' })
  response?: ExchangeResponse;
  @NumberField({ ...left, min: 0, max: maxDurationMs })
  durationMs?: number;
}

export class Snippet {
  @StringField({ ...left, maxLength: maxName })
  name?: string;
  @StringField({ ...left, maxLength: 100 })
  language?: string;
  @StringField({ maxLength: maxText, example: 'SELECT * FROM products WHERE name = $1' })
  content: string;
  @IntegerField({
    ...left,
    min: 1,
    max: maxLine,
    description: 'The line of the file at which the content begins',
    example: 29,
  })
  startLine?: number;
}

export class Screenshot {
  @StringField({ ...pictureAddress, example: 'https://scans.example.com/login.png' })
  url: string;
  @StringField({ ...left, maxLength: maxName })
  alt?: string;
}

export class AttachmentCreate {
  @EnumField(attachmentTypes)
  type: AttachmentType;
  @ObjectField(() => Exchange, { ...left, description: 'Of type EXCHANGE' })
  exchange?: Exchange;
  @ObjectField(() => Snippet, { ...left, description: 'Of type SNIPPET' })
  snippet?: Snippet;
  @ObjectField(() => Screenshot, { ...left, description: 'Of type SCREENSHOT' })
  screenshot?: Screenshot;
}

/** An event as a scanner appends it to a scan. */
export class EventCreate {
  @StringField({ minLength: 1, maxLength: maxName, example: 'Login form found' })
  title: string;
  @StringField({ maxLength: maxText, example: 'The form at /login posts a name and a password.' })
  description: string;
  @EnumField(eventLevels)
  level: EventLevel;
  @EnumField(eventStages)
  stage: EventStage;
  // Unspecified: times beyond the retention. They are accepted, as imports of old scans bring them, and go with their month.
  @DateTimeField({ ...left, description: 'Now by default; at most 5 minutes ahead and 10 years back' })
  createdAt?: string;
  @UuidField({
    ...left,
    description:
      'A UUID of version 7, whose time becomes createdAt. An event with a known id is ignored, so that a retry is safe',
  })
  id?: string;
  @UuidListField({ ...left, maxItems: maxIds, description: 'By default those of the scan, unless they are more' })
  assetIds?: string[];
  @UuidListField({ ...left, maxItems: maxIds })
  issueIds?: string[];
  @ArrayField(() => AttachmentCreate, { maxItems: maxAttachments, default: [], nullable: 'ignored' })
  attachments: AttachmentCreate[];
}

export class EventAppendResult {
  @IntegerField({ description: 'The number of new events' })
  accepted: number;
  @IntegerField({ description: 'The number of events that were already there' })
  ignored: number;
}
