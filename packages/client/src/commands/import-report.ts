import { readFile } from 'node:fs/promises';
import { assertApart, togetherInWords } from '../gate/apart.js';
import { ignoredInWords, isByIssue } from '../gate/ignored.js';
import { IssueList } from '../gate/issue-list.js';
import { rootFrom, sourcesOf } from '../gate/pipeline.js';
import { resolveId } from '../api/ids.js';
import { noPolicy, type Policy, readPolicy } from '../gate/policy.js';
import { type ImportQuery, sendReport } from '../gate/send-report.js';
import { type ImportedReport, type Verdict, verdictOf } from '../gate/verdict.js';
import { assertWritable, writeResults } from '../gate/write-results.js';
import { exitCodes, Failure } from '../failure.js';
import { printJson } from '../output/json.js';
import type { Context } from './context.js';
import { nearestWord } from './nearest-word.js';
import type { OutputFormat } from './options.js';
import { printReport, printVerdict } from './print-import.js';

export interface ImportOptions {
  format?: ImportQuery['format'];
  mapping?: string;
  asset?: string;
  profileId?: string;
  kind?: ImportQuery['kind'];
  branch?: string;
  commit?: string;
  defaultBranch?: string;
  pullRequest?: string;
  committedAt?: string;
  category?: string;
  root?: string;
  allowEmpty?: boolean;
  failOn?: Policy['failOn'];
  newOnly?: boolean;
  policy?: string;
  resolveGone?: boolean;
  dryRun?: boolean;
  summary?: string;
  junit?: string;
  sarifOut?: string;
  output: OutputFormat;
}

/** The policy of the options, which take precedence over those of the file; null if there is nothing to decide. */
async function policyOf({ failOn, newOnly, policy: file }: ImportOptions): Promise<Policy | null> {
  const ofFile = file === undefined ? noPolicy : await readPolicy(file, nearestWord);
  const policy = { ...ofFile, ...(failOn ? { failOn } : {}), ...(newOnly ? { newOnly } : {}) };
  if (policy.failOn !== undefined || Object.keys(policy.maximum).length > 0) return policy;
  if (!newOnly && file === undefined) return null;
  const what = file === undefined ? '--new-only' : `The policy ${file}`;
  throw new Failure(`${what} fails nothing by itself: add --fail-on, such as --fail-on high`, exitCodes.usage);
}

/** Whether all issues are needed: counts and the worst ones do not do. */
function needsList({ junit, sarifOut }: ImportOptions, policy: Policy | null): boolean {
  return junit !== undefined || sarifOut !== undefined || (policy?.ignore.some(isByIssue) ?? false);
}

function queryOf(options: ImportOptions, env: NodeJS.ProcessEnv): ImportQuery {
  const { format, asset, profileId, kind, category, resolveGone, dryRun, allowEmpty } = options;
  const { repository, ...sources } = sourcesOf(env, process.cwd());
  const branch = options.branch ?? sources.branch;
  // The checkout's commit says nothing about another branch.
  const own = branch === sources.branch ? sources : {};
  const { commit = own.commit } = options;
  const isOwn = commit === sources.commit;
  const given = {
    format,
    asset,
    repository: asset === undefined ? repository : undefined,
    profileId,
    kind,
    branch,
    defaultBranch: options.defaultBranch ?? (branch === undefined ? undefined : sources.defaultBranch),
    pullRequest: options.pullRequest ?? own.pullRequest,
    committedAt: options.committedAt ?? (isOwn ? own.committedAt : undefined),
    commit,
    category,
    root: options.root === undefined ? sources.root : rootFrom(options.root, process.cwd()),
    allowEmpty: allowEmpty || undefined,
    resolveGone: resolveGone || undefined,
    dryRun: dryRun || undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The mapping without the blanks that people write between its fields: it has a bound. */
async function readMapping(file: string): Promise<string> {
  try {
    return JSON.stringify(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`The mapping ${file} cannot be read: ${reason}`, exitCodes.usage);
  }
}

/** `scans import`: sends reports to the service, prints the outcome, and decides whether they pass. */
export async function importReports(context: Context, files: string[], options: ImportOptions): Promise<void> {
  const { env, stdin } = context.surroundings;
  if (files.filter((file) => file === '-').length > 1) {
    throw new Failure('Standard input (-) is read once: name it once', exitCodes.usage);
  }
  const policy = await policyOf(options);
  await assertWritable(options);
  const profileId = options.profileId && (await resolveId(context.api, 'PROFILE', options.profileId));
  const isListed = needsList(options, policy);
  const query = {
    ...queryOf(profileId ? { ...options, profileId } : options, env),
    ...(options.mapping === undefined ? {} : { mapping: await readMapping(options.mapping) }),
    ...(isListed ? { list: true } : {}),
  };
  const sending = { api: context.api, output: context.output, stdin, notify: context.notify };
  const reports: ImportedReport[] = [];
  try {
    if (options.resolveGone) {
      await assertApart(files, (file) => sendReport(sending, file, { ...query, list: false, dryRun: true }));
    }
    for (const file of files) {
      const result = await sendReport(sending, file, query);
      reports.push({ file, result });
      if (options.output !== 'json') await printReport(context.output, file, result, files.length > 1);
    }
  } finally {
    stdin.destroy();
  }
  try {
    const fault = isListed ? await fetchLists(context, reports) : null;
    // Without the lists, the gate cannot tell what the policy ignores in files and assets.
    if (fault && policy?.ignore.some(isByIssue)) throw fault;
    await conclude(context, reports, policy, options, fault);
  } finally {
    for (const { list } of reports) await list?.remove();
  }
}

/** Fetches all issues of each report; returns why that failed, as the verdict can mostly do without them. */
async function fetchLists({ api }: Context, reports: ImportedReport[]): Promise<Failure | null> {
  try {
    for (const report of reports) report.list = await IssueList.fetch(api, report.result);
    return null;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

async function conclude(
  { output, notify }: Context,
  reports: ImportedReport[],
  policy: Policy | null,
  options: ImportOptions,
  listFault: Failure | null,
): Promise<void> {
  const isAskedFor =
    policy !== null || [options.summary, options.junit, options.sarifOut].some((file) => file !== undefined);
  if (isAskedFor && reports.some(({ result }) => (result.bySeverity as unknown) === undefined)) {
    throw new Failure('The service is older than this client, and does not tell what is new: update it');
  }
  const together = options.resolveGone ? null : togetherInWords(reports);
  if (together !== null)
    notify(`${together}, and counts what the other has as gone: give each a --category of its own`);
  const today = new Date().toISOString().slice(0, 10);
  const allowEmpty = options.allowEmpty === true;
  const judged = policy && (await verdictOf(reports, policy, { today, allowEmpty }));
  const verdict = judged?.verdict ?? null;
  if (options.output === 'json') await printJson(output, toJson(reports, verdict));
  for (const entry of verdict?.expired ?? []) {
    notify(`What the policy ignores counts again: ${ignoredInWords(entry)} was ignored until ${entry.until}`);
  }
  if (verdict && options.output !== 'json') await printVerdict(output, verdict, options.dryRun === true);
  const { summary, junit, sarifOut } = options;
  // A part of the issues in a file would pass for all of them.
  const faults = await writeResults(listFault ? { summary } : { summary, junit, sarifOut }, reports, judged);
  if (listFault) {
    const files = [junit, sarifOut].filter((file) => file !== undefined).join(' and ');
    faults.push(`${files} not written: ${listFault.message}`);
  }
  if (verdict?.passed !== false && faults.length > 0) throw new Failure(faults.join('\n       '));
  faults.forEach((fault) => notify(fault));
  if (verdict?.passed !== false) return;
  const isOnlyNotRun = !verdict.ran && verdict.failing.length + verdict.unlisted.length === 0;
  const closed = `The gate is closed: ${verdict.reasons.join('; ')}`;
  throw new Failure(closed, isOnlyNotRun ? exitCodes.notRun : exitCodes.gateClosed);
}

/** One shape, however many reports there are and whatever was asked; `gate` is null if nothing was to be decided. */
function toJson(reports: readonly ImportedReport[], verdict: Verdict | null): unknown {
  return { gate: verdict, reports: reports.map(({ file, result }) => ({ file, ...result })) };
}
