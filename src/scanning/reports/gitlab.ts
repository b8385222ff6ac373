import { Invalid } from '../../platform/errors/invalid.js';
import type { AssetDraft } from '../assets/asset-draft.js';
import { type JsonHit, JsonReader } from './json/index.js';
import { entriesIn } from './json-findings.js';
import { GitLabFindings, gitLabTypes } from './gitlab-findings.js';
import { ReportRules } from './report-details.js';
import { longest, type Reading, type Report, type ReportBytes } from './report-finding.js';
import { ReportRemarks } from './report-remarks.js';
import { type Fields, fieldsOf, firstText, listOf, textOf } from './report-text.js';

// Unspecified: how many remediations are kept, and how much of all of them.
const maxRemediations = 10_000;
const maxCharacters = 16 * 2 ** 20;
const mostMessages = 20;

const names = ['scan.scanner.name', 'scan.analyzer.name', 'scan.scanner.id', 'scan.analyzer.id'];
const headerPaths = [
  'version',
  'scan.type',
  'scan.status',
  'scan.messages[]',
  ...names,
  'remediations[]',
  // Reports before version 15 say these in each finding.
  'vulnerabilities[].category',
  'vulnerabilities[].scanner.name',
];

/** Everything in a report beside its findings. */
class GitLabHeader {
  /** What to do against a finding, by the ids that it has. */
  readonly remediations = new Map<string, Fields>();
  private readonly top: Fields = {};
  private readonly messages: string[] = [];
  private hasList = false;
  private characters = 0;

  take(hit: JsonHit): void {
    if (hit.path === 'vulnerabilities') this.hasList = true;
    if (hit.kind !== 'value') return;
    if (hit.path === 'scan.messages[]') this.takeMessage(fieldsOf(hit.value));
    else if (hit.path === 'remediations[]') this.takeRemediation(fieldsOf(hit.value));
    else this.top[hit.path] ??= hit.value;
  }

  get type(): string {
    return firstText(50, this.top['scan.type'], this.top['vulnerabilities[].category']);
  }

  get tool(): string {
    const given = [...names.map((name) => this.top[name]), this.top['vulnerabilities[].scanner.name']];
    return firstText(longest.name, ...given, 'GitLab');
  }

  /** Why the scan did not succeed, if the report says that it did not. */
  get failures(): string[] {
    if (textOf(this.top['scan.status'], 50) !== 'failure') return [];
    return [`${this.tool}: ${this.messages.join('; ') || 'the scan failed'}`];
  }

  assertGitLab(): void {
    if (!this.hasList || textOf(this.top['version'], 50) === '') {
      const sentence = 'This is not a security report of GitLab: it has no version and vulnerabilities';
      throw Invalid.at(['body', 'vulnerabilities'], 'missing', sentence);
    }
    if (this.type === '' || gitLabTypes.has(this.type)) return;
    const taken = [...gitLabTypes].join(', ');
    const sentence = `This is a report of GitLab of the type ${this.type}: those of these types are read: ${taken}`;
    throw Invalid.at(['body', 'scan', 'type'], 'value_error', sentence);
  }

  private takeMessage({ level, value }: Fields): void {
    const text = textOf(value, 1_000);
    const isBad = ['error', 'fatal', 'warn'].includes(textOf(level, 20));
    if (isBad && text !== '' && this.messages.length < mostMessages) this.messages.push(text);
  }

  private takeRemediation({ fixes, summary, diff }: Fields): void {
    const kept = { summary: textOf(summary, 2_000), diff: textOf(diff, 8_000) };
    this.characters += kept.summary.length + kept.diff.length + 100;
    if (this.characters > maxCharacters) return;
    for (const fix of listOf(fixes).slice(0, 1_000).map(fieldsOf)) {
      if (this.remediations.size >= maxRemediations) return;
      const id = firstText(longest.identifier, fix['id'], fix['cve']);
      if (id !== '') this.remediations.set(id, kept);
    }
  }
}

/**
 * Reads GitLab's security reports: SAST, secret detection, dependency and container scanning
 * (https://gitlab.com/gitlab-org/security-products/security-report-schemas). `Invalid` for anything else.
 */
export async function readGitLab(bytes: ReportBytes, reading: Reading): Promise<Report> {
  const header = new GitLabHeader();
  const selection = { paths: headerPaths, watched: ['vulnerabilities'] };
  for await (const hits of new JsonReader(selection).read(bytes())) hits.forEach((hit) => header.take(hit));
  header.assertGitLab();
  const asset: AssetDraft | null = reading.asset ?? reading.fallback;
  const kept = { remarks: new ReportRemarks(), rules: new ReportRules() };
  return {
    format: 'gitlab',
    tools: [{ name: header.tool, category: '', about: asset ? [asset] : [], failures: header.failures, silence: null }],
    ...kept,
    defaultKind: 'ASM_CODE_PROJECT',
    bracketed: true,
    count: null,
    isUnplaced: asset === null,
    unread: [],
    entries: () => {
      const findings = new GitLabFindings(asset, reading.roots, header, kept);
      return entriesIn(bytes, [
        { path: 'vulnerabilities[]', noun: 'vulnerability', read: (given) => [findings.entryOf(given)] },
      ]);
    },
  };
}
