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
} from '../../common/validation/fields.js';
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
import { type PayloadRoot, payloadRoots } from './payload-roots.js';

// Not shown: the longest window of a throttle; a day.
const maxThrottleMs = 86_400_000;
const maxUrl = 2_048;
const maxHeaderName = 256;
const maxHeaderValue = 8_192;

/** What sets a workflow off. */
export class WorkflowTrigger {
  @EnumField(workflowTriggerTypes)
  type: WorkflowTriggerType;
  @StringField({ optional: true, nullable: true, maxLength: 200, description: 'Of a SCHEDULE', example: '0 6 * * 1' })
  cron?: string | null;
  @StringField({ default: 'UTC', maxLength: 64, description: 'The time zone of the cron expression' })
  timeZone: string;
}

/** All that are given must hold; of each list, one entry. */
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
  @StringField({ minLength: 1, maxLength: maxHeaderName })
  name: string;
  @StringField({
    maxLength: maxHeaderValue,
    secret: true,
    description: 'Read masked; the mask sent back changes nothing',
  })
  value: string;
}

export class WebhookParameters {
  @StringField({ minLength: 1, maxLength: maxUrl, secret: true, example: 'https://hooks.example.com/scans' })
  url: string;
  @ArrayField(() => WebhookHeader, { optional: true, nullable: 'ignored' })
  headers?: WebhookHeader[];
  @StringField({
    optional: true,
    nullable: true,
    maxLength: 200,
    secret: true,
    description: 'Signs what is sent (Standard Webhooks): whsec_ and base64. Read masked',
  })
  secret?: string | null;
  @EnumListField(payloadRoots, { optional: true, nullable: true, description: 'The roots to send; all where left out' })
  resources?: PayloadRoot[] | null;
}

export class WorkflowActionInput {
  @UuidField({ optional: true, nullable: 'ignored', description: 'In an update: the action that this is' })
  id?: string;
  @EnumField(['EXPORT'])
  type: 'EXPORT';
  @EnumField(['WEBHOOK'])
  integrationKind: 'WEBHOOK';
  @BooleanField({ default: true })
  enabled: boolean;
  @ObjectField(() => WebhookParameters)
  parameters: WebhookParameters;
}

export class WorkflowCreate {
  @StringField({ minLength: 1, maxLength: 200 })
  name: string;
  @BooleanField({ default: true })
  enabled: boolean;
  @ObjectField(() => WorkflowTrigger)
  trigger: WorkflowTrigger;
  @ObjectField(() => WorkflowConditions, { optional: true, nullable: 'ignored' })
  conditions?: WorkflowConditions;
  @IntegerField({ min: 0, max: maxThrottleMs, default: 0, description: 'What happens within is one run, at its end' })
  throttleMs: number;
  @ArrayField(() => WorkflowActionInput)
  actions: WorkflowActionInput[];
}

/** What is left out stays as it is. */
export class WorkflowUpdate {
  @StringField({ optional: true, nullable: 'ignored', minLength: 1, maxLength: 200 })
  name?: string;
  @BooleanField({ optional: true, nullable: 'ignored' })
  enabled?: boolean;
  @ObjectField(() => WorkflowTrigger, { optional: true, nullable: 'ignored' })
  trigger?: WorkflowTrigger;
  @ObjectField(() => WorkflowConditions, { optional: true, nullable: 'ignored' })
  conditions?: WorkflowConditions;
  @IntegerField({ optional: true, nullable: 'ignored', min: 0, max: maxThrottleMs })
  throttleMs?: number;
  @ArrayField(() => WorkflowActionInput, { optional: true, nullable: 'ignored' })
  actions?: WorkflowActionInput[];
}

/** The parameters of an action as they are read: header values and the secret masked. */
export class WebhookParametersRead {
  @StringField()
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
  @ObjectField(() => WebhookParametersRead)
  parameters: WebhookParametersRead;
}

export class Workflow {
  @UuidField()
  id: string;
  @StringField()
  name: string;
  @BooleanField()
  enabled: boolean;
  @ObjectField(() => WorkflowTrigger)
  trigger: WorkflowTrigger;
  @ObjectField(() => WorkflowConditions)
  conditions: WorkflowConditions;
  @IntegerField()
  throttleMs: number;
  @ArrayField(() => WorkflowAction)
  actions: WorkflowAction[];
  @DateTimeField()
  createdAt: Date;
  @DateTimeField()
  updatedAt: Date;
}

export class WorkflowPage {
  @ArrayField(() => Workflow)
  data: Workflow[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

export const runStatuses = ['PENDING', 'SENT', 'SKIPPED', 'FAILED'] as const;
export type RunStatus = (typeof runStatuses)[number];

export class WorkflowRun {
  @UuidField()
  id: string;
  @EnumField(workflowTriggerTypes)
  trigger: WorkflowTriggerType;
  @EnumField(runStatuses, { description: 'SENT: its payload is frozen and handed to its deliveries' })
  status: RunStatus;
  @StringField({ nullable: true })
  reason: string | null;
  @DateTimeField()
  createdAt: Date;
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
  @UuidField()
  id: string;
}
