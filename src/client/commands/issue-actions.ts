import type { Issue as IssueShape, IssueActivity } from '../../scanning/issues/issues.shapes.js';
import { resolveId } from '../api/ids.js';
import { exitCodes, Failure } from '../failure.js';
import { printDetails } from '../output/details.js';
import { harmlessLine } from '../output/harmless.js';
import { printJson } from '../output/json.js';
import type { Output } from '../output/output.js';
import type { Wire } from '../wire.js';
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

/** What gives the severity back to the scanner. */
const givenBack = 'TOOL';
const activitiesShown = 20;

function placeOf(target: Target): string {
  const { apiRoute, codeFile, graphqlResolver, webPage, webCrawledUrl } = target;
  if (apiRoute) return `${apiRoute.operation} ${apiRoute.name}`;
  if (graphqlResolver) return `${graphqlResolver.parent}.${graphqlResolver.name}`;
  return codeFile?.path ?? webPage?.url ?? webCrawledUrl?.url ?? target.targetUid;
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
export async function updateIssue({ api, output }: Context, given: string, changes: IssueChanges): Promise<void> {
  const { status, severity, comment, output: format } = changes;
  if (status === undefined && severity === undefined && comment === undefined) {
    throw new Failure('There is nothing to change: give --status, --severity or --comment', exitCodes.usage);
  }
  const id = await resolveId(api, 'ISSUE', given);
  const json = { status, severity: severity === givenBack ? null : severity, comment };
  const issue = await api.send<Issue>('PATCH', `issues/${id}`, json);
  if (format === 'json') await printJson(output, issue);
  else await printIssue(output, issue);
}
