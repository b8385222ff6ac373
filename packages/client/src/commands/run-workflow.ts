import type { WorkflowRunStarted } from '../../../../src/scanning/workflows/workflows.dto.js';
import { resolveId } from '../api/ids.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';

/** `workflows run`. */
export async function runWorkflow({ api, output }: Context, id: string, format: OutputFormat): Promise<void> {
  const run = await api.post<WorkflowRunStarted>(`workflows/${await resolveId(api, 'WORKFLOW', id)}/run`);
  if (format === 'json') await printJson(output, run);
  else await printDetails(output, [['RUN ID', run.runId]]);
}
