import type {
  Issue,
  IssueActivity,
  IssueSeverity,
  IssueStatus,
  IssuesUpdate,
  IssueUpdateResult,
  ResourceScanTarget,
} from '@store-service/sdk';
import { resolveId } from '../api/ids.js';
import { exitCodes, Failure } from '../failure.js';
import { printDetails } from '../output/details.js';
import { harmlessLine } from '../output/harmless.js';
import { printJson } from '../output/json.js';
import type { Output } from '../output/output.js';
import { type Column, Table } from '../output/table.js';
import { idColumn } from './common-columns.js';
import type { Context } from './context.js';
import { indented } from './indented.js';
import type { OutputFormat } from './options.js';

export interface IssueChanges {
  status?: IssueStatus;
  severity?: IssueSeverity | typeof givenBack;
  comment?: string;
  output: OutputFormat;
}

/** The word that gives the severity back to the scanner. */
const givenBack = 'TOOL';
const activitiesShown = 20;

/** How many issues the service changes in one request. */
const mostAtOnce = 500;

const resultColumns: readonly Column<IssueUpdateResult>[] = [
  idColumn,
  { head: 'OUTCOME', value: ({ status }) => status.replace('_', ' '), width: 9, least: 9 },
];

export function placeOf(target: ResourceScanTarget): string {
  const { apiRoute, codeFile, graphqlResolver, webPage, webCrawledUrl } = target;
  if (apiRoute) return `${apiRoute.operation} ${apiRoute.name}`;
  if (graphqlResolver) return `${graphqlResolver.parent}.${graphqlResolver.name}`;
  if (codeFile) return codeFile.line ? `${codeFile.path}:${codeFile.line}` : codeFile.path;
  return webPage?.url ?? webCrawledUrl?.url ?? target.targetUid;
}

function activityLine({ createdAt, actor, kind, from, to, comment }: IssueActivity): string {
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
  const { data: issue } = await api.issues.get({ path: { id } });
  if (format === 'json') return printJson(output, issue);
  const { data: activities } = await api.issues.activities({ path: { id }, query: { size: activitiesShown } });
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
  const body = { status, severity: severity === givenBack ? null : severity, comment };
  if (ids.length > 1) return updateMany({ api, output }, ids, body, format);
  const [id = ''] = ids;
  const { data: issue } = await api.issues.update({ path: { id }, body });
  if (format === 'json') await printJson(output, issue);
  else await printIssue(output, issue);
}

async function updateMany(
  { api, output }: Pick<Context, 'api' | 'output'>,
  ids: string[],
  changes: Omit<IssuesUpdate, 'ids'>,
  format: OutputFormat,
): Promise<void> {
  const results: IssueUpdateResult[] = [];
  for (let at = 0; at < ids.length; at += mostAtOnce) {
    const part = ids.slice(at, at + mostAtOnce);
    const { data } = await api.issues.updateMany({ body: { ...changes, ids: part } });
    results.push(...data.results);
  }
  if (format === 'json') await printJson(output, results);
  else await new Table(output, resultColumns).print(results);
  const absent = results.filter(({ status }) => status === 'not_found').length;
  if (absent > 0) throw new Failure(`${absent} of ${results.length} issues are not there`, exitCodes.notFound);
}
