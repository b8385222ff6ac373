import { demo } from '../../platform/openapi/demo-values.js';
import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  EnumListField,
  IntegerField,
  JsonField,
  ListField,
  ObjectField,
  StringField,
  UuidField,
  UuidListField,
} from '../../platform/validation/fields.js';
import {
  type AssetClass,
  assetClasses,
  type AssetType,
  assetTypes,
  type IssueCategory,
  issueCategories,
  type IssueSeverity,
  issueSeverities,
  type IssueStatus,
  issueStatuses,
  type ScanKind,
  scanKinds,
  type ScanStatus,
  scanStatuses,
  type WorkflowTriggerType,
  workflowTriggerTypes,
} from '../vocabulary.js';
import { type DeliveryStatus, deliveryStatuses } from '../../platform/delivery/delivery-statuses.js';
import { type Digest, digests } from '../notifications/notification-kinds.js';
import { type ActionKind, actionKinds, type ActionType, actionTypes } from './action-kinds.js';
import { type PayloadRoot, payloadRoots } from './payload-roots.js';

// Unspecified: the longest window of a throttle; a day.
export const maxThrottleMs = 86_400_000;
export const nameBounds = { minLength: 1, maxLength: 200 };
export const cronBounds = { maxLength: 200, description: 'The cron expression of a SCHEDULE', example: '0 6 * * 1' };
export const timeZoneBounds = { maxLength: 64, description: 'The time zone of the cron expression' };
export const urlBounds = { minLength: 1, maxLength: 2_048, secret: true, example: 'https://hooks.example.com/scans' };
export const secretBounds = { maxLength: 200, secret: true };
const maxHeaderName = 256;
const maxHeaderValue = 8_192;
export const maxHeaders = 50;
// Unspecified: how many systems one workflow may send to.
export const maxActions = 10;
// Unspecified: up to how many failing deliveries are counted.
export const mostFailing = 1_000;
// Unspecified: how many members one action mails.
const mostMembers = 20;
export const membersBounds = {
  maxItems: mostMembers,
  optional: true,
  nullable: true,
  description: 'Of EMAIL: the members who get the mail, by their user ids',
} as const;
export const templateBounds = {
  bounds: { maxBytes: 16_384, maxEntries: 300, maxDepth: 8, maxTextLength: 8_192 },
  optional: true,
  nullable: true,
  description:
    'Of TEMPLATE: the JSON body, whose texts may name fields in {{ }}, such as {{ title }}, {{ worst }} and {{ url }}. ' +
    'What looks like a secret is masked when read; sending the mask back changes nothing',
} as const;
export const partsBounds = {
  optional: true,
  nullable: 'ignored',
  description:
    'Of WEBHOOK: whether a payload of more than 50 MiB goes out as numbered parts, one after the other, each with ' +
    '`part` and `of` at its root and a webhook-id of its own; otherwise it is not sent',
} as const;
export const perIssueBounds = {
  optional: true,
  nullable: 'ignored',
  description: 'Send a message for each issue, the worst 50 of a run, rather than one for all',
} as const;
/** An action may be sent back as it was read. */
export const readReason = {
  optional: true,
  nullable: true,
  maxLength: 1_000,
  description: 'Ignored: may be sent as it was read',
} as const;
export const readExpiry = {
  optional: true,
  nullable: true,
  description: 'Ignored: may be sent as it was read',
} as const;

/** The cause of a workflow's runs. */
export class WorkflowTrigger {
  @EnumField(workflowTriggerTypes)
  type: WorkflowTriggerType;
  @StringField({ ...cronBounds, optional: true, nullable: true })
  cron?: string | null;
  @StringField({ ...timeZoneBounds, default: 'UTC' })
  timeZone: string;
}

/** All given conditions must hold; of each list, one entry. */
export class WorkflowConditions {
  @EnumListField(issueSeverities, { optional: true, nullable: 'ignored' })
  severities?: IssueSeverity[];
  @EnumListField(issueCategories, { optional: true, nullable: 'ignored' })
  categories?: IssueCategory[];
  @EnumListField(issueStatuses, { optional: true, nullable: 'ignored' })
  issueStatuses?: IssueStatus[];
  @EnumListField(assetTypes, { optional: true, nullable: 'ignored' })
  assetTypes?: AssetType[];
  @EnumListField(assetClasses, { optional: true, nullable: 'ignored' })
  assetClasses?: AssetClass[];
  @EnumListField(scanKinds, { optional: true, nullable: 'ignored' })
  scanKinds?: ScanKind[];
  @EnumListField(scanStatuses, { optional: true, nullable: 'ignored' })
  scanStatuses?: ScanStatus[];
  @UuidListField({ optional: true, nullable: 'ignored' })
  profileIds?: string[];
  @ListField(
    { kind: 'string', minLength: 1, maxLength: 255 },
    {
      optional: true,
      nullable: 'ignored',
      maxItems: 100,
      example: ['main'],
      description:
        'Issues and scans of the branches of these names, or of all with *. By default those of the default branch, ' +
        'and those without a branch',
    },
  )
  branches?: string[];
  @UuidListField({ optional: true, nullable: 'ignored' })
  tagIds?: string[];
  @StringField({ optional: true, nullable: 'ignored', maxLength: 200 })
  search?: string;
  @BooleanField({
    optional: true,
    nullable: 'ignored',
    description:
      'Of a SCHEDULE: only what is new or has another status or severity since its last run that was sent; nothing is ' +
      'sent where that is nothing. The first run sends everything',
  })
  changedSinceLast?: boolean;
  @UuidField({
    optional: true,
    nullable: 'ignored',
    description:
      'A saved view of the organization: issues must match its filter as it is then. If it is deleted, runs fail and say so',
  })
  viewId?: string;
}

export class WebhookHeader {
  @StringField({ minLength: 1, maxLength: maxHeaderName, example: 'X-Shop' })
  name: string;
  @StringField({
    maxLength: maxHeaderValue,
    secret: true,
    description: 'Masked when read; sending the mask back changes nothing',
    example: '••••',
  })
  value: string;
}

export class WebhookParameters {
  @StringField({ ...urlBounds, optional: true, nullable: true, description: 'Required but for EMAIL' })
  url?: string | null;
  @ArrayField(() => WebhookHeader, { maxItems: maxHeaders, optional: true, nullable: 'ignored' })
  headers?: WebhookHeader[];
  @StringField({
    ...secretBounds,
    optional: true,
    nullable: true,
    description: 'Signs the payload (Standard Webhooks): whsec_ and base64. Masked when read',
  })
  secret?: string | null;
  @EnumListField(payloadRoots, {
    optional: true,
    nullable: true,
    minItems: 1,
    description: 'The roots to send; all by default',
  })
  resources?: PayloadRoot[] | null;
  @UuidListField(membersBounds)
  memberIds?: string[] | null;
  @JsonField(templateBounds)
  template?: Record<string, unknown> | null;
  @BooleanField(perIssueBounds)
  perIssue?: boolean;
  @BooleanField(partsBounds)
  parts?: boolean;
}

export const typeWords = 'EXPORT sends a payload; NOTIFY tells people what happened';
export const kindWords = 'WEBHOOK with EXPORT; with NOTIFY the others: SLACK, TEAMS and DISCORD by an incoming webhook';

export const digestBounds = {
  optional: true,
  nullable: true,
  description:
    'Gathers what events bring into one message: at the full hour, at eight, or on Mondays at eight, in the time zone of ' +
    'the trigger. Of notifications alone',
} as const;

export class WorkflowActionInput {
  @EnumField(actionTypes, { description: typeWords })
  type: ActionType;
  @EnumField(actionKinds, { description: kindWords, example: 'WEBHOOK' })
  integrationKind: ActionKind;
  @BooleanField({ default: true })
  enabled: boolean;
  @EnumField(digests, digestBounds)
  digest?: Digest | null;
  @StringField(readReason)
  disabledReason?: string | null;
  @DateTimeField(readExpiry)
  previousSecretExpiresAt?: string | null;
  @ObjectField(() => WebhookParameters)
  parameters: WebhookParameters;
}

export class WorkflowCreate {
  @StringField({ ...nameBounds, example: 'Serious new issues to our chat' })
  name: string;
  @BooleanField({ default: true })
  enabled: boolean;
  @ObjectField(() => WorkflowTrigger)
  trigger: WorkflowTrigger;
  @ObjectField(() => WorkflowConditions, { optional: true, nullable: 'ignored' })
  conditions?: WorkflowConditions;
  @IntegerField({
    min: 0,
    max: maxThrottleMs,
    default: 0,
    description: 'Everything that happens within this time becomes one run, at its end',
  })
  throttleMs: number;
  @ArrayField(() => WorkflowActionInput, { maxItems: maxActions })
  actions: WorkflowActionInput[];
}

/** The parameters of an action with header values and the secret masked. */
export class WebhookParametersRead {
  @StringField({
    nullable: true,
    description:
      'The complete address for admins; origin and path for everybody else. Masked for chats, as their addresses are ' +
      'secrets. Null for EMAIL',
    example: 'https://hooks.example.com/scans',
  })
  url: string | null;
  @ArrayField(() => WebhookHeader)
  headers: WebhookHeader[];
  @StringField({ nullable: true })
  secret: string | null;
  @EnumListField(payloadRoots, { nullable: true })
  resources: PayloadRoot[] | null;
  @UuidListField({ optional: true, maxItems: mostMembers, description: 'Of EMAIL' })
  memberIds?: string[];
  @JsonField({ bounds: 'none', optional: true, description: 'Of TEMPLATE' })
  template?: Record<string, unknown>;
  @BooleanField({ optional: true, description: 'Of notifications: whether each issue has a message of its own' })
  perIssue?: boolean;
  @BooleanField({ optional: true, description: 'Of WEBHOOK: whether a large payload goes out in parts' })
  parts?: boolean;
}

export class WorkflowAction {
  @UuidField()
  id: string;
  @EnumField(actionTypes)
  type: ActionType;
  @EnumField(actionKinds, { example: 'WEBHOOK' })
  integrationKind: ActionKind;
  @BooleanField()
  enabled: boolean;
  @EnumField(digests, { optional: true, nullable: true, description: 'Of notifications' })
  digest?: Digest | null;
  @StringField({ nullable: true, description: 'Why the service disabled the action' })
  disabledReason: string | null;
  @DateTimeField({
    nullable: true,
    description: 'Until when the secret before the last rotation also signs',
  })
  previousSecretExpiresAt: Date | null;
  @ObjectField(() => WebhookParametersRead)
  parameters: WebhookParametersRead;
}

export class Workflow {
  @UuidField()
  id: string;
  @StringField({ example: 'Serious new issues to the receiver' })
  name: string;
  @BooleanField()
  enabled: boolean;
  @ObjectField(() => WorkflowTrigger)
  trigger: WorkflowTrigger;
  @ObjectField(() => WorkflowConditions)
  conditions: WorkflowConditions;
  @IntegerField()
  throttleMs: number;
  @DateTimeField({ nullable: true, description: 'When the schedule of an enabled workflow is next due' })
  nextRunAt: Date | null;
  @ArrayField(() => WorkflowAction)
  actions: WorkflowAction[];
  @DateTimeField()
  createdAt: Date;
  @DateTimeField()
  updatedAt: Date;
}

export const runStatuses = ['PENDING', 'SENT', 'SKIPPED', 'FAILED', 'CANCELED'] as const;
export type RunStatus = (typeof runStatuses)[number];

export class RunDelivery {
  @UuidField()
  id: string;
  @EnumField(deliveryStatuses)
  status: DeliveryStatus;
}

export class WorkflowRun {
  @UuidField()
  id: string;
  @EnumField(workflowTriggerTypes)
  trigger: WorkflowTriggerType;
  @EnumField(runStatuses, {
    description:
      'SENT: its payload is frozen and passed to its deliveries. CANCELED: the workflow was disabled earlier',
  })
  status: RunStatus;
  @StringField({ nullable: true })
  reason: string | null;
  @DateTimeField()
  createdAt: Date;
  @ArrayField(() => RunDelivery, {
    description: 'The deliveries of the run, one per action, until they are removed after their retention time',
  })
  deliveries: RunDelivery[];
}

/** A workflow with its health. */
export class ListedWorkflow extends Workflow {
  @ObjectField(() => WorkflowRun, { nullable: true, description: 'The newest run; null if it never ran' })
  lastRun: WorkflowRun | null;
  @IntegerField({
    min: 0,
    max: mostFailing,
    description: `Deliveries that are RETRYING or EXHAUSTED, counted up to ${mostFailing}`,
    example: 0,
  })
  failingDeliveries: number;
}

export class WorkflowPage {
  @ArrayField(() => ListedWorkflow)
  data: ListedWorkflow[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

export class WorkflowRunPage {
  @ArrayField(() => WorkflowRun)
  data: WorkflowRun[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

export class WorkflowRunStarted {
  @UuidField()
  runId: string;
}

export class WorkflowPath {
  @UuidField({ example: demo('workflow') })
  id: string;
}
