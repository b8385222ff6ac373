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
  @UuidListField({ optional: true, nullable: 'ignored' })
  tagIds?: string[];
  @StringField({ optional: true, nullable: 'ignored', maxLength: 200 })
  search?: string;
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
  @StringField(urlBounds)
  url: string;
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
}

export class WorkflowActionInput {
  @EnumField(['EXPORT'])
  type: 'EXPORT';
  @EnumField(['WEBHOOK'])
  integrationKind: 'WEBHOOK';
  @BooleanField({ default: true })
  enabled: boolean;
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
    description: 'The complete address for admins; origin and path for everybody else',
    example: 'https://hooks.example.com/scans',
  })
  url: string;
  @ArrayField(() => WebhookHeader)
  headers: WebhookHeader[];
  @StringField({ nullable: true })
  secret: string | null;
  @EnumListField(payloadRoots, { nullable: true })
  resources: PayloadRoot[] | null;
}

export class WorkflowAction {
  @UuidField()
  id: string;
  @EnumField(['EXPORT'])
  type: 'EXPORT';
  @EnumField(['WEBHOOK'])
  integrationKind: 'WEBHOOK';
  @BooleanField()
  enabled: boolean;
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
