import {
  ArrayField,
  BooleanField,
  EnumField,
  IntegerField,
  JsonField,
  ListField,
  ObjectField,
  UuidField,
} from '../../platform/validation/fields.js';
import { type NotificationKind, notificationKinds } from '../notifications/notification-kinds.js';
import type { PayloadVariant } from '../workflows/workflow-run.entity.js';

/** The length of each array in bytes; null if it alone is larger than any payload may be. */
export class PreviewSizes {
  @IntegerField({ nullable: true })
  issues: number | null;
  @IntegerField({ nullable: true })
  assets: number | null;
  @IntegerField({ nullable: true })
  scans: number | null;
  @IntegerField({ nullable: true })
  profiles: number | null;
  @IntegerField({ nullable: true })
  locations: number | null;
  @IntegerField({ nullable: true })
  integrations: number | null;
}

export class PreviewBytes {
  @ObjectField(() => PreviewSizes)
  default: PreviewSizes;
  @ObjectField(() => PreviewSizes)
  scoped: PreviewSizes;
}

export class PreviewedAction {
  @UuidField({ nullable: true, description: 'Null for an action of a draft' })
  id: string | null;
  @IntegerField({
    nullable: true,
    description: 'The size of what it would send now; null above 50 MiB, which is not sent',
  })
  payloadBytes: number | null;
}

/** What a notifying action would say to people. */
export class PreviewedNotice {
  @UuidField({ nullable: true, description: 'Null for an action of a draft' })
  id: string | null;
  @EnumField(notificationKinds)
  integrationKind: NotificationKind;
  @IntegerField({ min: 0, description: 'How many messages it would send now; a mail to several members is one' })
  count: number;
  @ListField(
    { kind: 'string' },
    {
      description:
        'The first 3 of them, as their readers see them, each cut after 12,000 characters; of a TEMPLATE, its body with ' +
        'secrets masked',
      example: ['2 new issues: 1 critical, 1 high\n🔴 SQL injection – web shop, src/search.ts:42'],
    },
  )
  messages: string[];
}

export class WorkflowPreview {
  @EnumField(['default', 'scoped'], { description: 'The variant that the organization currently sends' })
  shape: PayloadVariant;
  @JsonField({
    description: 'The number of elements of each root that would be sent',
    example: { issues: 214, assets: 12 },
  })
  counts: Record<string, number>;
  @JsonField({
    description: 'The number of elements of each root that match now, whichever roots the actions send',
    example: { issues: 214, assets: 12, scans: 4, profiles: 2, locations: 0, integrations: 0 },
  })
  matches: Record<string, number>;
  @ObjectField(() => PreviewBytes)
  bytes: PreviewBytes;
  @ArrayField(() => PreviewedAction, {
    description: 'The enabled exports in their order, or all if no action is enabled',
  })
  actions: PreviewedAction[];
  @ArrayField(() => PreviewedNotice, {
    description:
      'What the notifying actions would say about all that matches now: the enabled ones in their order, or all if none ' +
      'is enabled',
  })
  notifications: PreviewedNotice[];
  @JsonField({
    description:
      'A payload of the default variant, the newest 20 of each root; credentials are masked for all but admins',
  })
  default: Record<string, unknown>;
  @JsonField({ description: 'A payload of the scoped variant, the newest 20 of each root' })
  scoped: Record<string, unknown>;
  @ListField(
    { kind: 'string' },
    {
      description: 'The places where the default variant contains credentials: the first 1,000',
      example: ['integrations[0].parameters.apiKey'],
    },
  )
  credentials: string[];
  @IntegerField({ description: 'The number of such places' })
  credentialCount: number;
}

export class PreviewQuery {
  @BooleanField({ default: false, description: 'Whether the payloads are complete' })
  full: boolean;
}
