import type { Job } from 'graphile-worker';
import { tracing } from '../tracing/tracing.js';

/** Does the work of a job in its queuer's trace. */
export function traced(task: string, { id, attempts, payload }: Job, work: () => Promise<void>): Promise<void> {
  const on = tracing();
  if (!on) return work();
  const { trace: traceparent } = (payload ?? {}) as { trace?: unknown };
  return on.job({ task, id, attempt: attempts, traceparent }, work);
}
