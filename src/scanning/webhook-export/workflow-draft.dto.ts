import { ArrayField, ObjectField, StringField } from '../../platform/validation/fields.js';
import { WorkflowActionUpdate } from '../workflows/workflow-updates.dto.js';
import { maxActions, WorkflowConditions, WorkflowTrigger } from '../workflows/workflows.dto.js';

/** A workflow that is still being written: it need not have a name, nor a receiver. */
export class WorkflowDraft {
  @StringField({ optional: true, nullable: 'ignored', maxLength: 200, description: 'Notifications end with it' })
  name?: string;
  @ObjectField(() => WorkflowTrigger)
  trigger: WorkflowTrigger;
  @ObjectField(() => WorkflowConditions, { optional: true, nullable: 'ignored' })
  conditions?: WorkflowConditions;
  @ArrayField(() => WorkflowActionUpdate, {
    maxItems: maxActions,
    optional: true,
    nullable: 'ignored',
    description:
      'Only `resources`, `enabled`, `template` and `perIssue` decide what is shown. Address, headers, secret and ' +
      'members may be omitted; if given, they must be valid',
  })
  actions?: WorkflowActionUpdate[];
}
