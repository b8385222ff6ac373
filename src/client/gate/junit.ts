import type { ImportedIssue } from '../../scanning/reports/reports.shapes.js';
import type { ImportedReport, Verdict } from './verdict.js';

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
  const { name, rule, severity, place, assetName } = issue;
  const where = place === null ? assetName : `${place} (${assetName})`;
  const start = `    <testcase name="${escaped(`${name} in ${where}`)}" classname="${escaped(rule)}"`;
  if (fails) {
    return `${start}><failure type="${severity}" message="${escaped(`${severity}: ${name}`)}">${escaped(where)}</failure></testcase>`;
  }
  return ignored === undefined ? `${start}/>` : `${start}><skipped message="${escaped(ignored)}"/></testcase>`;
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

/** The results as JUnit XML: a case for each open issue that the service lists, failed if the gate fails because of it. */
export function toJUnit(reports: readonly ImportedReport[], verdict: Verdict | null): string {
  const failing = new Set(verdict?.failing);
  const ignored = new Map(verdict?.ignored.map(({ rule, reason, until }) => [rule, `${reason} (until ${until})`]));
  const suites = reports.map(({ file, result }) => {
    const issues = result.issues.filter(({ outcome }) => outcome !== 'GONE');
    const failures = issues.filter((issue) => failing.has(issue)).length;
    const isBroken = result.scan.status === 'FAILED';
    const cases = issues.map((issue) => testCase(issue, failing.has(issue), ignored.get(issue.rule)));
    if (isBroken)
      cases.push(
        '    <testcase name="the tool" classname="scan"><error message="It did not get to its end"/></testcase>',
      );
    const counts = `tests="${cases.length}" failures="${failures}" errors="${isBroken ? 1 : 0}"`;
    return [`  <testsuite name="${escaped(file)}" ${counts}>`, ...cases, '  </testsuite>'].join('\n');
  });
  const unlisted = unlistedSuite(verdict?.unlisted ?? []);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="store">',
    ...suites,
    ...unlisted,
    '</testsuites>',
    '',
  ].join('\n');
}
