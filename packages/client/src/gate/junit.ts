import type { ImportedIssue } from '@store-service/sdk';
import type { ImportedReport, Judged } from './verdict.js';

/** Controls and lone surrogates: XML 1.0 can hold only three controls, in any spelling. */
const special = /[\p{Cc}\p{Cs}\ufffe\uffff&<>"]/gu;

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

function escaped(text: string): string {
  return text.replace(special, (character) => entities[character] ?? '\ufffd');
}

function testCase(issue: ImportedIssue, fails: boolean, ignored: string | undefined): string {
  const { name, rule, severity, place, line, message, assetName } = issue;
  const at = place === null ? null : `${place}${typeof line === 'number' ? `:${line}` : ''}`;
  const where = at === null ? assetName : `${at} (${assetName})`;
  const start = `    <testcase name="${escaped(`${name} in ${where}`)}" classname="${escaped(rule)}"`;
  const text = message ? `${where}\n${message}` : where;
  if (fails) {
    return `${start}><failure type="${severity}" message="${escaped(`${severity}: ${message || name}`)}">${escaped(text)}</failure></testcase>`;
  }
  if (ignored !== undefined) return `${start}><skipped message="${escaped(ignored)}"/></testcase>`;
  return `${start}><system-out>${escaped(text)}</system-out></testcase>`;
}

/** Why the gate fails if the service lists no issue for it: a report without a failure would look like one that passes. */
function unlistedSuite(sentences: readonly string[]): string[] {
  if (sentences.length === 0) return [];
  const cases = sentences.map((sentence) => {
    const text = escaped(sentence);
    return `    <testcase name="${text}" classname="gate"><failure message="${text}">${text}</failure></testcase>`;
  });
  const counts = `tests="${cases.length}" failures="${cases.length}" errors="0"`;
  return [[`  <testsuite name="gate" ${counts}>`, ...cases, '  </testsuite>'].join('\n')];
}

const broken =
  '    <testcase name="the tool" classname="scan"><error message="It did not run, or not to its end"/></testcase>';

async function* suite({ file, result, list }: ImportedReport, judged: Judged | null): AsyncGenerator<string> {
  let [tests, failures] = [0, 0];
  for await (const issue of openIssues(list)) {
    tests++;
    if (judged?.fails(issue)) failures++;
  }
  const isBroken = result.scan.status === 'FAILED' || typeof result.notRun === 'string';
  const counts = `tests="${tests + (isBroken ? 1 : 0)}" failures="${failures}" errors="${isBroken ? 1 : 0}"`;
  yield `  <testsuite name="${escaped(file)}" ${counts}>\n`;
  for await (const issue of openIssues(list)) {
    const entry = judged?.ignoredBy(issue);
    const ignored = entry && `${entry.reason} (until ${entry.until})`;
    yield `${testCase(issue, judged?.fails(issue) ?? false, ignored)}\n`;
  }
  if (isBroken) yield `${broken}\n`;
  yield '  </testsuite>\n';
}

async function* openIssues(list: ImportedReport['list']): AsyncGenerator<ImportedIssue> {
  if (!list) return;
  for await (const issue of list.issues()) if (issue.outcome !== 'GONE') yield issue;
}

/** The results as JUnit XML, in pieces: a case for each open issue, failed if the gate fails because of it. */
export async function* toJUnit(reports: readonly ImportedReport[], judged: Judged | null): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="store">\n';
  for (const report of reports) yield* suite(report, judged);
  for (const unlisted of unlistedSuite(judged?.verdict.unlisted ?? [])) yield `${unlisted}\n`;
  yield '</testsuites>\n';
}
