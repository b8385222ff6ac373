import type { IssuePolicy, IssueSeverity } from '@store-service/sdk';
import { anewIfChanged } from '../api/anew.js';
import { parts } from '../api/pages.js';
import { exitCodes, Failure } from '../failure.js';
import { printDetails } from '../output/details.js';
import { printJson } from '../output/json.js';
import type { Context } from './context.js';
import { indented } from './indented.js';
import { userIdOf } from './members-by-name.js';
import type { OutputFormat } from './options.js';
import { severities } from '../values.js';

/** One side of NAME=VALUE; a value of null stands for none. */
export type Setting<Name extends string> = readonly [name: Name, value: string | null];

export interface PolicyOptions {
  days?: Setting<IssueSeverity>[];
  assignee?: Setting<string>[];
  reasonRequired?: 'on' | 'off';
  output: OutputFormat;
}

async function print({ output }: Context, policy: IssuePolicy, format: OutputFormat): Promise<void> {
  if (format === 'json') return printJson(output, policy);
  const { daysToFix, assignees, reasonRequired } = policy;
  await printDetails(output, [
    ...severities.map((severity) => [`DAYS FOR ${severity}`, daysToFix[severity] ?? 'no due date'] as const),
    ['REASON REQUIRED', reasonRequired ? 'on' : 'off'],
  ]);
  const people = assignees.map(({ tagName, username }) => `${tagName}: ${username}`).join('\n');
  if (people !== '') await output.write(`\n${output.paint('ASSIGNED, BY TAG', 'bold')}\n${indented(people)}\n`);
}

/** The id of a tag by its name or id. */
async function tagIdOf({ api }: Context, given: string): Promise<string> {
  for await (const { entries } of parts((query) => api.tags.list({ query }), Infinity)) {
    const found = entries.find(({ id, name }) => id === given || name === given);
    if (found) return found.id;
  }
  throw new Failure(`There is no tag "${given}": store tags list`, exitCodes.notFound);
}

/** The default assignees after a change: those of other tags stay, new ones come last. */
async function assigneesOf(context: Context, before: IssuePolicy['assignees'], settings: Setting<string>[]) {
  const assignees = before.map(({ tagId, userId }) => ({ tagId, userId }));
  for (const [tag, who] of settings) {
    const tagId = await tagIdOf(context, tag);
    const userId = who === null ? null : await userIdOf(context, who);
    const at = assignees.findIndex((one) => one.tagId === tagId);
    const next = userId === null ? [] : [{ tagId, userId }];
    assignees.splice(at < 0 ? assignees.length : at, at < 0 ? 0 : 1, ...next);
  }
  return assignees;
}

/** Changes the current policy: what others change at the same time stays. */
function change(context: Context, { days, assignee, reasonRequired }: PolicyOptions): Promise<IssuePolicy> {
  const { api } = context;
  const changedDays = Object.fromEntries((days ?? []).map(([name, value]) => [name, value === null ? null : +value]));
  return anewIfChanged(async () => {
    const { data: before, response } = await api.issuePolicy.get();
    const body = {
      daysToFix: { ...before.daysToFix, ...changedDays },
      assignees: await assigneesOf(context, before.assignees, assignee ?? []),
      reasonRequired: reasonRequired ? reasonRequired === 'on' : before.reasonRequired,
    };
    const headers = { 'If-Match': response.headers.get('etag') ?? undefined };
    return (await api.issuePolicy.replace({ body, headers })).data;
  });
}

/** `issues policy`: shows it, after a change where one is given. */
export async function showPolicy(context: Context, options: PolicyOptions): Promise<void> {
  const { days, assignee, reasonRequired } = options;
  const isChange = days ?? assignee ?? reasonRequired;
  const policy = isChange ? await change(context, options) : (await context.api.issuePolicy.get()).data;
  await print(context, policy, options.output);
}
