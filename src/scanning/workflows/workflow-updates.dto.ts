import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  EnumListField,
  IntegerField,
  JsonField,
  ObjectField,
  StringField,
  UuidField,
  UuidListField,
} from '../../platform/validation/fields.js';
import { type WorkflowTriggerType, workflowTriggerTypes } from '../vocabulary.js';
import { type Digest, digests } from '../notifications/notification-kinds.js';
import { type ActionKind, actionKinds, type ActionType, actionTypes } from './action-kinds.js';
import { type PayloadRoot, payloadRoots } from './payload-roots.js';
import {
  cronBounds,
  digestBounds,
  kindWords,
  maxActions,
  maxHeaders,
  maxThrottleMs,
  membersBounds,
  nameBounds,
  partsBounds,
  perIssueBounds,
  readExpiry,
  readReason,
  secretBounds,
  templateBounds,
  timeZoneBounds,
  typeWords,
  urlBounds,
  WebhookHeader,
  WorkflowConditions,
} from './workflows.dto.js';

/** Omitted fields stay as they are; a cron expression only where the type stays SCHEDULE. */
export class WorkflowTriggerUpdate {
  @EnumField(workflowTriggerTypes, { optional: true, nullable: 'ignored' })
  type?: WorkflowTriggerType;
  @StringField({ ...cronBounds, optional: true, nullable: true })
  cron?: string | null;
  @StringField({ ...timeZoneBounds, optional: true, nullable: 'ignored' })
  timeZone?: string;
}

/** Omitted fields of an existing action stay as they are. */
export class WebhookParametersUpdate {
  @StringField({ ...urlBounds, optional: true, nullable: true })
  url?: string | null;
  @ArrayField(() => WebhookHeader, {
    maxItems: maxHeaders,
    optional: true,
    nullable: 'ignored',
    description: 'Replaces all headers; an empty list removes them',
  })
  headers?: WebhookHeader[];
  @StringField({ ...secretBounds, optional: true, nullable: true, description: 'Null removes it' })
  secret?: string | null;
  @EnumListField(payloadRoots, { optional: true, nullable: true, minItems: 1, description: 'Null means all roots' })
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

export class WorkflowActionUpdate {
  @UuidField({
    optional: true,
    nullable: 'ignored',
    description:
      'The id of the action; without it, the action at this position is meant, whose headers and secret stay only ' +
      'if the url is the same',
  })
  id?: string;
  @EnumField(actionTypes, { description: typeWords })
  type: ActionType;
  @EnumField(actionKinds, { description: kindWords, example: 'WEBHOOK' })
  integrationKind: ActionKind;
  @BooleanField({ optional: true, nullable: 'ignored' })
  enabled?: boolean;
  @EnumField(digests, digestBounds)
  digest?: Digest | null;
  @StringField(readReason)
  disabledReason?: string | null;
  @DateTimeField(readExpiry)
  previousSecretExpiresAt?: string | null;
  @ObjectField(() => WebhookParametersUpdate)
  parameters: WebhookParametersUpdate;
}

/** Omitted fields stay as they are. */
export class WorkflowUpdate {
  @StringField({ ...nameBounds, optional: true, nullable: 'ignored' })
  name?: string;
  @BooleanField({ optional: true, nullable: 'ignored' })
  enabled?: boolean;
  @ObjectField(() => WorkflowTriggerUpdate, { optional: true, nullable: 'ignored' })
  trigger?: WorkflowTriggerUpdate;
  @ObjectField(() => WorkflowConditions, { optional: true, nullable: 'ignored' })
  conditions?: WorkflowConditions;
  @IntegerField({ optional: true, nullable: 'ignored', min: 0, max: maxThrottleMs })
  throttleMs?: number;
  @ArrayField(() => WorkflowActionUpdate, {
    maxItems: maxActions,
    optional: true,
    nullable: 'ignored',
    description: 'Replaces all actions: an omitted action is deleted',
  })
  actions?: WorkflowActionUpdate[];
}
