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
    description: 'In place of all that there are; an empty list takes them away',
  })
  headers?: WebhookHeader[];
  @StringField({ ...secretBounds, optional: true, nullable: true, description: 'Null takes it away' })
  secret?: string | null;
  @EnumListField(payloadRoots, { optional: true, nullable: true, minItems: 1, description: 'Null is all roots' })
  resources?: PayloadRoot[] | null;
}

export class WorkflowActionUpdate {
  @UuidField({
    optional: true,
    nullable: 'ignored',
    description:
      'The action that this is; without it, the one in this place, of which headers and secret stay only beside the same url',
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
    description: 'In place of all that there are: an action left out goes',
  })
  actions?: WorkflowActionUpdate[];
}
