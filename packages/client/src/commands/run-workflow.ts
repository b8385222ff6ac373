import { resolveId } from '../api/ids.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';

/** `workflows run`. */
export async function runWorkflow({ api, output }: Context, given: string, format: OutputFormat): Promise<void> {
  const { data: run } = await api.workflows.run({ path: { id: await resolveId(api, 'WORKFLOW', given) } });
  if (format === 'json') await printJson(output, run);
  else await printDetails(output, [['RUN ID', run.runId]]);
}
