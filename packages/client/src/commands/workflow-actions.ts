import type { Workflow } from '@store-service/sdk';
import { resolveId } from '../api/ids.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Output } from '../output/output.js';
import type { Context } from './context.js';
import { indented } from './indented.js';
import { readJsonFile } from './json-file.js';
import type { OutputFormat } from './options.js';
import { idToDelete, printDeleted } from './resource.js';

/** The fields that a workflow is read with, and that are not sent. */
const readOnly = new Set(['id', 'nextRunAt', 'createdAt', 'updatedAt']);
const placesShown = 20;

export function triggerText({ trigger: { type, cron, timeZone } }: Workflow): string {
  return cron ? `${type} ${cron} ${timeZone}` : type;
}

function conditionText([name, value]: [string, unknown]): string {
  return `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`;
}

function actionText(action: Workflow['actions'][number]): string {
  const { type, integrationKind, enabled, disabledReason, parameters } = action;
  const what = type === 'NOTIFY' ? integrationKind : (parameters.resources?.join(', ') ?? 'everything');
  return `${parameters.url ?? `${parameters.memberIds?.length ?? 0} members`} (${what})${enabled ? '' : `, disabled: ${disabledReason ?? 'by hand'}`}`;
}

async function print(output: Output, workflow: Workflow, format: OutputFormat): Promise<void> {
  if (format === 'json') return printJson(output, workflow);
  const { conditions, actions } = workflow;
  await printDetails(output, [
    ['ID', workflow.id],
    ['NAME', workflow.name],
    ['ENABLED', workflow.enabled ? 'yes' : 'no'],
    ['TRIGGER', triggerText(workflow)],
    ['NEXT RUN AT', workflow.nextRunAt],
    ['CREATED AT', workflow.createdAt],
    ['UPDATED AT', workflow.updatedAt],
  ]);
  const given = Object.entries(conditions).map(conditionText).join('\n');
  if (given) await output.write(`\n${output.paint('CONDITIONS', 'bold')}\n${indented(given)}\n`);
  const sent = actions.map(actionText).join('\n');
  if (sent) await output.write(`\n${output.paint('SENDS TO', 'bold')}\n${indented(sent)}\n`);
}

async function bodyOf({ surroundings }: Context, file: string): Promise<Record<string, unknown>> {
  const read = await readJsonFile(surroundings, file);
  return Object.fromEntries(Object.entries(read).filter(([name]) => !readOnly.has(name)));
}

/** `workflows get`. */
export async function showWorkflow({ api, output }: Context, given: string, format: OutputFormat): Promise<void> {
  const id = await resolveId(api, 'WORKFLOW', given);
  await print(output, (await api.workflows.get({ path: { id } })).data, format);
}

/** `workflows create`. */
export async function createWorkflow(context: Context, file: string, format: OutputFormat): Promise<void> {
  const { id: _id, ...body } = await bodyOf(context, file);
  const actions = Array.isArray(body['actions']) ? { actions: body['actions'].map(withoutId) } : {};
  // What is sent stands in a file, and the service checks it.
  const { data: made } = await context.api.workflows.create({ body: { ...body, ...actions } as never });
  await print(context.output, made, format);
}

/** An action that was read is sent without its id, and made anew. */
function withoutId(action: unknown): unknown {
  if (typeof action !== 'object' || action === null) return action;
  return Object.fromEntries(Object.entries(action).filter(([name]) => name !== 'id'));
}

/** `workflows update`. */
export async function updateWorkflow(
  context: Context,
  given: string,
  file: string,
  format: OutputFormat,
): Promise<void> {
  const body = await bodyOf(context, file);
  const id = await resolveId(context.api, 'WORKFLOW', given);
  await print(context.output, (await context.api.workflows.update({ path: { id }, body })).data, format);
}

/** `workflows delete`. */
export async function deleteWorkflow(context: Context, given: string, format: OutputFormat): Promise<void> {
  const id = await idToDelete(context, 'WORKFLOW', given);
  await context.api.workflows.remove({ path: { id } });
  await printDeleted(context.output, id, format);
}

/** `workflows preview`. */
export async function previewWorkflow(
  { api, output }: Context,
  given: string,
  { full, output: format }: { full?: true; output: OutputFormat },
): Promise<void> {
  const id = await resolveId(api, 'WORKFLOW', given);
  const { data: preview } = await api.workflows.preview({ path: { id }, query: { full } });
  if (format === 'json') return printJson(output, preview);
  const { shape, counts, bytes, actions, credentials, credentialCount } = preview;
  const sizes = bytes[shape] as Record<string, number | null>;
  await printDetails(output, [
    ['SHAPE', shape],
    ...Object.entries(counts as Record<string, number>).map(
      ([root, count]) => [root.toUpperCase(), `${count} (${sizes[root] ?? 'too many'} bytes)`] as const,
    ),
    [
      'PAYLOADS',
      actions.map(({ payloadBytes }) => (payloadBytes === null ? 'too large' : `${payloadBytes} bytes`)).join(', '),
    ],
    ['CREDENTIALS', credentialCount],
  ]);
  if (shape === 'scoped' || credentialCount === 0) return;
  const places = credentials.slice(0, placesShown);
  const rest = credentialCount > places.length ? [`and ${credentialCount - places.length} more`] : [];
  const text = [...places, ...rest].join('\n');
  await output.write(`\n${output.paint('CREDENTIALS THAT WOULD BE SENT', 'bold')}\n${indented(text)}\n`);
}
