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
} from '../../platform/validation/fields.js';
import { type WorkflowTriggerType, workflowTriggerTypes } from '../vocabulary.js';
import { type PayloadRoot, payloadRoots } from './payload-roots.js';
import {
  cronBounds,
  maxActions,
  maxHeaders,
  maxThrottleMs,
  nameBounds,
  readExpiry,
  readReason,
  secretBounds,
  timeZoneBounds,
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
  @StringField({ ...urlBounds, optional: true, nullable: 'ignored' })
  url?: string;
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
  @EnumField(['EXPORT'])
  type: 'EXPORT';
  @EnumField(['WEBHOOK'])
  integrationKind: 'WEBHOOK';
  @BooleanField({ optional: true, nullable: 'ignored' })
  enabled?: boolean;
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
