import type { TestSend, WorkflowRun } from '@store-service/sdk';
import { resolveId } from '../api/ids.js';
import type { List } from '../api/pages.js';
import { exitCodes, Failure } from '../failure.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import { type Column, Table } from '../output/table.js';
import { createdColumn, idColumn } from './common-columns.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';
import { type ListOptions, printList } from './print-list.js';

type Result = TestSend['results'][number];

export interface RotationChoices {
  action?: string;
  output: OutputFormat;
}

const runColumns: readonly Column<WorkflowRun>[] = [
  idColumn,
  { ...createdColumn, mayGo: true },
  { head: 'TRIGGER', value: ({ trigger }) => trigger, width: 18, least: 8 },
  { head: 'STATUS', value: ({ status }) => status, width: 8, least: 8 },
  { head: 'REASON', value: ({ reason }) => reason ?? '-', width: 40, least: 10, mayGo: true },
];

const resultColumns: readonly Column<Result>[] = [
  { head: 'ACTION ID', value: ({ actionId }) => actionId, width: 36, least: 36 },
  { head: 'TAKEN', value: ({ delivered }) => (delivered ? 'yes' : 'no'), width: 5, least: 5 },
  { head: 'STATUS', value: ({ statusCode }) => String(statusCode ?? '-'), width: 6, least: 6 },
  { head: 'MS', value: ({ durationMs }) => String(durationMs), width: 5, least: 5, mayGo: true },
  { head: 'ANSWER', value: ({ error, response }) => error ?? response ?? '-', width: 40, least: 10 },
];

/** `workflows runs`. */
export async function listRuns(context: Context, given: string, options: ListOptions): Promise<void> {
  const id = await resolveId(context.api, 'WORKFLOW', given);
  const list: List<WorkflowRun> = (query) => context.api.workflows.listRuns({ path: { id }, query });
  await printList(context, list, runColumns, options);
}

/** `workflows test`: fails if a receiver does not accept the sample. */
export async function testWorkflow({ api, output }: Context, given: string, format: OutputFormat): Promise<void> {
  const id = await resolveId(api, 'WORKFLOW', given);
  const { data: sent } = await api.workflows.test({ path: { id } });
  if (format === 'json') await printJson(output, sent);
  else await new Table(output, resultColumns).print(sent.results);
  const refused = sent.results.filter(({ delivered }) => !delivered).length;
  if (refused > 0) throw new Failure(`${refused} of ${sent.results.length} receivers did not take the sample`);
}

/** The action that was meant: the only one, or the one whose id has this prefix. */
async function actionOf({ api }: Context, workflowId: string, given: string | undefined): Promise<string> {
  const { actions } = (await api.workflows.get({ path: { id: workflowId } })).data;
  const meant = actions.filter(({ id }) => given === undefined || id.startsWith(given));
  const [action] = meant;
  if (action && meant.length === 1) return action.id;
  const ids = actions.map(({ id }) => `\n       ${id}`).join('');
  throw new Failure(`Say which action by --action; the workflow has${ids || ' none'}`, exitCodes.usage);
}

/** `workflows rotate-secret`: prints the secret, this once. */
export async function rotateSecret(context: Context, given: string, choices: RotationChoices): Promise<void> {
  const id = await resolveId(context.api, 'WORKFLOW', given);
  const actionId = await actionOf(context, id, choices.action);
  const { data: rotated } = await context.api.workflows.rotateSecret({ path: { id, actionId }, body: {} });
  if (choices.output === 'json') return printJson(context.output, rotated);
  await printDetails(context.output, [
    ['SECRET', rotated.secret],
    ['THE ONE BEFORE SIGNS UNTIL', rotated.previousSecretExpiresAt],
  ]);
  context.notify('The secret is shown this once');
}
