import type { Issue as IssueShape, IssueActivity } from '../../../../src/scanning/issues/issues.dto.js';
import type { IssuesUpdateResult } from '../../../../src/scanning/issues/issue-triage.dto.js';
import { resolveId } from '../api/ids.js';
import { exitCodes, Failure } from '../failure.js';
import { printDetails } from '../output/details.js';
import { harmlessLine } from '../output/harmless.js';
import { printJson } from '../output/json.js';
import type { Output } from '../output/output.js';
import { type Column, Table } from '../output/table.js';
import type { Wire } from '../wire.js';
import { idColumn } from './common-columns.js';
import type { Context } from './context.js';
import { indented } from './indented.js';
import type { OutputFormat } from './options.js';

type Issue = Wire<IssueShape>;
type Activity = Wire<IssueActivity>;
type Target = Issue['targets'][number];

export interface IssueChanges {
  status?: string;
  severity?: string;
  comment?: string;
  output: OutputFormat;
}

/** The word that gives the severity back to the scanner. */
const givenBack = 'TOOL';
const activitiesShown = 20;

/** How many issues the service changes in one request. */
const mostAtOnce = 500;

type Result = Wire<IssuesUpdateResult>['results'][number];

const resultColumns: readonly Column<Result>[] = [
  idColumn,
  { head: 'OUTCOME', value: ({ status }) => status.replace('_', ' '), width: 9, least: 9 },
];

export function placeOf(target: Target): string {
  const { apiRoute, codeFile, graphqlResolver, webPage, webCrawledUrl } = target;
  if (apiRoute) return `${apiRoute.operation} ${apiRoute.name}`;
  if (graphqlResolver) return `${graphqlResolver.parent}.${graphqlResolver.name}`;
  if (codeFile) return codeFile.line ? `${codeFile.path}:${codeFile.line}` : codeFile.path;
  return webPage?.url ?? webCrawledUrl?.url ?? target.targetUid;
}

function activityLine({ createdAt, actor, kind, from, to, comment }: Activity): string {
  const move = kind === 'STATUS' || kind === 'SEVERITY' ? ` ${from ?? '-'} → ${to ?? '-'}` : '';
  const said = comment === null ? '' : `: ${comment}`;
  return harmlessLine(`${createdAt}  ${actor.name ?? 'the service'}  ${kind}${move}${said}`);
}

async function printSection(output: Output, title: string, text: string): Promise<void> {
  if (text !== '') await output.write(`\n${output.paint(title, 'bold')}\n${indented(text)}\n`);
}

async function printIssue(output: Output, issue: Issue): Promise<void> {
  await printDetails(output, [
    ['ID', issue.id],
    ['CREATED AT', issue.createdAt],
    ['NAME', issue.fullName],
    ['SEVERITY', issue.severitySetBy ? `${issue.severity} (the scanner says ${issue.toolSeverity})` : issue.severity],
    ['STATUS', issue.status],
    ['CATEGORY', issue.category],
    ['ASSET', `${issue.asset.name} (${issue.asset.uri})`],
    ['ASSET ID', issue.assetId],
    ['SCAN ID', issue.scan?.id],
    ['PROFILE', issue.application?.name],
    ['TEST', issue.securityTestUid],
    ['TARGETS', issue.targetsCount],
  ]);
}

/** `issues get`: one issue with its targets and activities. */
export async function showIssue({ api, output }: Context, given: string, format: OutputFormat): Promise<void> {
  const id = await resolveId(api, 'ISSUE', given);
  const issue = await api.get<Issue>(`issues/${id}`);
  if (format === 'json') return printJson(output, issue);
  const activities = await api.get<{ data: Activity[] }>(`issues/${id}/activities`, { size: activitiesShown });
  await printIssue(output, issue);
  await printSection(output, 'CONTEXT', issue.context);
  await printSection(output, 'TARGETS', issue.targets.map(placeOf).join('\n'));
  await printSection(output, 'ACTIVITIES', activities.data.map(activityLine).join('\n'));
}

/** `issues update` and `issues comment`. */
export async function updateIssues({ api, output }: Context, given: string[], changes: IssueChanges): Promise<void> {
  const { status, severity, comment, output: format } = changes;
  if (status === undefined && severity === undefined && comment === undefined) {
    throw new Failure('There is nothing to change: give --status, --severity or --comment', exitCodes.usage);
  }
  const ids = await Promise.all(given.map((one) => resolveId(api, 'ISSUE', one)));
  const json = { status, severity: severity === givenBack ? null : severity, comment };
  if (ids.length > 1) return updateMany({ api, output }, ids, json, format);
  const issue = await api.send<Issue>('PATCH', `issues/${ids[0]}`, json);
  if (format === 'json') await printJson(output, issue);
  else await printIssue(output, issue);
}

async function updateMany(
  { api, output }: Pick<Context, 'api' | 'output'>,
  ids: string[],
  json: object,
  format: OutputFormat,
): Promise<void> {
  const results: Result[] = [];
  for (let at = 0; at < ids.length; at += mostAtOnce) {
    const part = ids.slice(at, at + mostAtOnce);
    const answer = await api.send<Wire<IssuesUpdateResult>>('PATCH', 'issues', { ...json, ids: part });
    results.push(...answer.results);
  }
  if (format === 'json') await printJson(output, results);
  else await new Table(output, resultColumns).print(results);
  const absent = results.filter(({ status }) => status === 'not_found').length;
  if (absent > 0) throw new Failure(`${absent} of ${results.length} issues are not there`, exitCodes.notFound);
}
