import { addJobSql, type JobSql } from '../../platform/jobs/jobs.statements.js';
import { deliveryTask } from '../workflows/workflow-tasks.js';

/** SQL, a function call, that queues an attempt of a delivery: a row of this name with `id` and `turn`. */
export function queueAttempt(delivery: string, options: Pick<JobSql, 'runAt' | 'flags'>): string {
  const payload = `json_build_object('deliveryId', ${delivery}.id, 'turn', ${delivery}.turn)`;
  return addJobSql(deliveryTask, { payload, id: `${delivery}.id`, ...options });
}
