import type {
  IssueBulkChange,
  IssueBulkExample,
  IssueBulkResult,
  IssueSeverity,
  IssueStatus,
  IssuesUpdate,
  IssueUpdateResult,
} from '@store-service/sdk';
import { resolveId } from '../api/ids.js';
import { exitCodes, Failure } from '../failure.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import { type Column, Table } from '../output/table.js';
import { idColumn } from './common-columns.js';
import type { Context } from './context.js';
import { type IssueFilterOptions, issueFilterOf } from './list-issues.js';
import { userIdOf } from './members-by-name.js';
import type { OutputFormat } from './options.js';
import { Prompt } from './prompt.js';

export interface BulkOptions extends IssueFilterOptions {
  setStatus?: IssueStatus;
  setSeverity?: IssueSeverity | 'TOOL';
  setAssignee?: string;
  setDue?: string;
  setLink?: string;
  acceptUntil?: string;
  reason?: string;
  comment?: string;
  dryRun?: true;
  yes?: true;
  output: OutputFormat;
}

const none = 'none';
/** How many issues the service changes by their ids in one request. */
const mostAtOnce = 500;

const exampleColumns: readonly Column<IssueBulkExample>[] = [
  idColumn,
  { head: 'SEVERITY', value: ({ severity }) => severity, width: 8, least: 8 },
  { head: 'STATUS', value: ({ status }) => status, width: 14, least: 9 },
  { head: 'ASSET', value: ({ assetName }) => assetName, width: 28, least: 10, mayGo: true },
  { head: 'NAME', value: ({ name }) => name, width: 40, least: 20 },
];

const resultColumns: readonly Column<IssueUpdateResult>[] = [
  idColumn,
  { head: 'OUTCOME', value: ({ status }) => status.replace('_', ' '), width: 9, least: 9 },
];

/** Changes issues by their ids, and prints what became of each. */
export async function changeIssues(
  context: Context,
  given: string[],
  changes: Omit<IssuesUpdate, 'ids'>,
  format: OutputFormat,
): Promise<void> {
  const { api, output } = context;
  const ids = await Promise.all(given.map((one) => resolveId(api, 'ISSUE', one)));
  const results: IssueUpdateResult[] = [];
  for (let at = 0; at < ids.length; at += mostAtOnce) {
    const body = { ...changes, ids: ids.slice(at, at + mostAtOnce) };
    results.push(...(await api.issues.updateMany({ body })).data.results);
  }
  if (format === 'json') await printJson(output, results);
  else await new Table(output, resultColumns).print(results);
  const absent = results.filter(({ status }) => status === 'not_found').length;
  if (absent > 0) throw new Failure(`${absent} of ${results.length} issues are not there`, exitCodes.notFound);
}

/** `issues assign`. */
export async function assignIssues(context: Context, ids: string[], to: string, format: OutputFormat): Promise<void> {
  await changeIssues(context, ids, { assigneeId: await userIdOf(context, to) }, format);
}

const orNull = (given: string | undefined) => (given === none ? null : given);

async function changesOf(context: Context, options: BulkOptions): Promise<IssueBulkChange['changes']> {
  const { setStatus, setSeverity, setAssignee, setDue, setLink, acceptUntil, reason, comment } = options;
  const changes = {
    status: setStatus,
    severity: setSeverity === 'TOOL' ? null : setSeverity,
    assigneeId: setAssignee === undefined ? undefined : await userIdOf(context, setAssignee),
    dueAt: orNull(setDue),
    externalUrl: orNull(setLink),
    acceptedUntil: acceptUntil,
    acceptedReason: reason,
  };
  if (Object.values(changes).every((value) => value === undefined)) {
    throw new Failure('There is nothing to change: give --set-status or another --set-…', exitCodes.usage);
  }
  return { ...changes, comment };
}

async function send({ api }: Context, body: IssueBulkChange): Promise<IssueBulkResult> {
  return (await api.issues.bulk({ body })).data;
}

/** Asks on a terminal; elsewhere, nothing is changed without --yes. */
async function mayChange({ surroundings, notify }: Context, { yes }: BulkOptions, count: number): Promise<boolean> {
  if (yes) return true;
  const prompt = new Prompt(surroundings);
  if (!prompt.isPossible) throw new Failure('Nothing is changed: add --yes to change them', exitCodes.usage);
  const answer = await prompt.line(`Change ${count} issues? [y/N] `);
  if (/^y(es)?$/i.test(answer)) return true;
  notify('Nothing is changed');
  return false;
}

/** `issues bulk`: shows what would change, asks, and changes it, as many at a time as the service takes. */
export async function bulkChange(context: Context, options: BulkOptions): Promise<void> {
  const { output } = context;
  const changes = await changesOf(context, options);
  const { filter } = await issueFilterOf(context, options);
  const before = await send(context, { filter, changes, dryRun: true });
  const isJson = options.output === 'json';
  if (!isJson) {
    await new Table(output, exampleColumns).print(before.first);
    const counts = [['MATCHING', before.matching] as const, ['TO CHANGE', before.changing] as const];
    await printDetails(output, counts);
  }
  if (options.dryRun || before.changing === 0) return isJson ? printJson(output, before) : undefined;
  if (!(await mayChange(context, options, before.changing))) return;
  let outcome = await send(context, { filter, changes, expectedCount: before.matching });
  let { changed } = outcome;
  while (outcome.remaining > 0 && outcome.changed > 0) {
    outcome = await send(context, { filter, changes });
    changed += outcome.changed;
  }
  const whole = { ...outcome, matching: before.matching, changing: before.changing, changed };
  if (isJson) await printJson(output, whole);
  else await printDetails(output, [['CHANGED', changed]]);
  if (outcome.remaining > 0) throw new Failure(`${outcome.remaining} are left, since an import has them: try again`);
}
