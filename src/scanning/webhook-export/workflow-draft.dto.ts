import { ArrayField, ObjectField } from '../../platform/validation/fields.js';
import { WorkflowActionUpdate } from '../workflows/workflow-updates.dto.js';
import { maxActions, WorkflowConditions, WorkflowTrigger } from '../workflows/workflows.dto.js';

/** A workflow that is still being written: it need not have a name, nor a receiver. */
export class WorkflowDraft {
  @ObjectField(() => WorkflowTrigger)
  trigger: WorkflowTrigger;
  @ObjectField(() => WorkflowConditions, { optional: true, nullable: 'ignored' })
  conditions?: WorkflowConditions;
  @ArrayField(() => WorkflowActionUpdate, {
    maxItems: maxActions,
    optional: true,
    nullable: 'ignored',
    description:
      'Only `resources` and `enabled` decide what is shown. Address, headers and secret may be omitted; if given, ' +
      'they must be valid',
  })
  actions?: WorkflowActionUpdate[];
}
