import { Invalid } from '../../platform/errors/invalid.js';
import type { AssetDraft } from '../assets/asset-draft.js';
import { cwesIn } from './cwe-category.js';
import { Cuts } from './cuts.js';
import { type JsonHit, JsonReader } from './json/index.js';
import { entriesIn } from './json-findings.js';
import { addressesOf, described, severityBy, titleOf, vulnerabilityEntry } from './package-findings.js';
import { packageOf } from './package-names.js';
import { identifiersIn, type Keeping, ReportRules } from './report-details.js';
import { longest, type Reading, type Report, type ReportBytes, type ReportEntry } from './report-finding.js';
import { ReportRemarks } from './report-remarks.js';
import { type Fields, fieldsOf, firstText, listOf, numberOf, textOf } from './report-text.js';

const maxAdvisories = 1_000;

/** The two forms: of npm 7 and later by package, of npm 6, and of pnpm and Yarn 1 still, by advisory. */
const byPackage = 'vulnerabilities.*';
const byAdvisory = 'advisories.*';

const unplaced = 'The audit names no project: name its asset with the query parameter asset';

/** The id of an advisory: the one of GitHub's database, which every version of npm gives, else its number. */
function advisoryId(fields: Fields): string {
  const texts = [fields['github_advisory_id'], fields['url'], fields['title']].map((text) => textOf(text, 500));
  const ghsa = identifiersIn(texts, []).find(({ type }) => type === 'GHSA')?.value;
  const [cve] = listOf(fields['cves']);
  const number = firstText(50, fields['source'], fields['id']);
  return ghsa ?? (textOf(cve, 50) || (number === '' ? '' : `npm-${number}`));
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function fixOf(name: string, available: unknown): string {
  if (available === true) return 'npm audit fix';
  const fix = fieldsOf(available);
  const version = textOf(fix['version'], 100);
  if (version === '') return '';
  const major = fix['isSemVerMajor'] === true ? ', which is a new major version' : '';
  return `Update ${textOf(fix['name'], 300) || name} to ${version}${major}`;
}

const keptOfAdvisory = ['title', 'url', 'severity', 'cwe', 'name', 'dependency', 'cvss'];
const keptOfOld = ['title', 'module_name', 'overview', 'recommendation', 'references', 'url', 'severity', 'cwe'];

/** Reads the findings of one audit. */
class Advisories {
  constructor(
    private readonly asset: AssetDraft | null,
    private readonly kept: Keeping,
  ) {}

  /** The advisories on a package (npm 7 and later); `via` also names packages through which it is vulnerable. */
  *ofPackage(given: Fields, name: string): Iterable<ReportEntry> {
    const via = listOf(given['via']);
    const own = via.map(fieldsOf).filter((one) => Object.keys(one).length > 0);
    if (own.length === 0) {
      const through = via.map((one) => textOf(one, 200)).filter((text) => text !== '');
      const reason = `${name} is vulnerable only through ${through.slice(0, 20).join(', ')}: see there`;
      yield through.length === 0
        ? { skipped: `${name} has neither an advisory nor a package through which it is vulnerable` }
        : { skipped: reason, isNone: true };
    }
    for (const advisory of own.slice(0, maxAdvisories)) yield this.ofVia(advisory, given, name);
    const beyond = own.length - maxAdvisories;
    if (beyond > 0) yield { skipped: `${name} has ${beyond} more advisories than the ${maxAdvisories} that are read` };
  }

  /** An advisory of npm 6. */
  ofOld(given: Fields): ReportEntry {
    const id = advisoryId(given);
    if (id === '') return { skipped: 'The advisory has neither an id nor an address' };
    if (!this.asset) return { skipped: unplaced, unplaced: true };
    const cuts = new Cuts();
    const findings = listOf(given['findings']).map(fieldsOf);
    const score = numberOf(fieldsOf(given['cvss'])['score']);
    const found = packageOf({ ecosystem: 'npm', name: given['module_name'], version: findings[0]?.['version'] });
    return vulnerabilityEntry(
      {
        id,
        title: titleOf(given['title']),
        description: described(cuts, given['overview']),
        severity: severityBy([given['severity']], score),
        score: score === 0 ? null : score,
        package: found,
        file: '',
        aliases: listOf(given['cves']).map((one) => textOf(one, 50)),
        cwes: listOf(given['cwe']).flatMap((one) => cwesIn(textOf(one, 500))),
        references: addressesOf(given['url'], given['references']),
        helpUri: textOf(given['url'], longest.url),
        fix: cuts.text(given['recommendation'], 5_000, 'the recommendation'),
        ofRule: {},
        ofFinding: without(given, keptOfOld),
      },
      this.asset,
      this.kept,
      cuts,
    );
  }

  private ofVia(advisory: Fields, given: Fields, key: string): ReportEntry {
    const id = advisoryId(advisory);
    if (id === '') return { skipped: 'The advisory has neither a source nor an address' };
    if (!this.asset) return { skipped: unplaced, unplaced: true };
    const cuts = new Cuts();
    const score = numberOf(fieldsOf(advisory['cvss'])['score']);
    const name = firstText(300, advisory['dependency'], given['name'], key);
    return vulnerabilityEntry(
      {
        id,
        title: titleOf(advisory['title']),
        description: described(cuts, advisory['overview']),
        severity: severityBy([advisory['severity'], given['severity']], score),
        score: score === 0 ? null : score,
        package: packageOf({ ecosystem: 'npm', name }),
        file: '',
        aliases: [],
        cwes: listOf(advisory['cwe']).flatMap((one) => cwesIn(textOf(one, 500))),
        references: addressesOf(advisory['url']),
        helpUri: textOf(advisory['url'], longest.url),
        fix: fixOf(name, given['fixAvailable']),
        ofRule: { cvss: advisory['cvss'] },
        ofFinding: {
          advisory: without(advisory, keptOfAdvisory),
          ...without(given, ['name', 'via', 'severity']),
          severityOfPackage: given['severity'],
          // The packages that this one makes vulnerable through others.
          through: listOf(given['via']).filter((one) => typeof one === 'string'),
        },
      },
      this.asset,
      this.kept,
      cuts,
    );
  }
}

/** Whether the document has the lists of one of the two forms. */
class AuditHeader {
  private readonly top: Fields = {};
  private readonly seen = new Set<string>();

  take(hit: JsonHit): void {
    this.seen.add(hit.path);
    if (hit.kind === 'value') this.top[hit.path] = hit.value;
  }

  assertAudit(): void {
    const { seen, top } = this;
    const isNew = 'auditReportVersion' in top && seen.has('vulnerabilities');
    if (isNew || (seen.has('advisories') && seen.has('metadata'))) return;
    const sentence =
      'This is not an audit by npm: it has neither auditReportVersion with vulnerabilities, nor advisories with metadata';
    throw Invalid.at(['body', 'auditReportVersion'], 'missing', sentence);
  }
}

/**
 * Reads the JSON of `npm audit --json` (https://docs.npmjs.com/cli/commands/npm-audit): that of npm 7 and later, and that
 * of npm 6, which pnpm writes too. `Invalid` for anything else.
 */
export async function readNpmAudit(bytes: ReportBytes, reading: Reading): Promise<Report> {
  const header = new AuditHeader();
  const selection = { paths: ['auditReportVersion'], watched: ['vulnerabilities', 'advisories', 'metadata'] };
  for await (const hits of new JsonReader(selection).read(bytes())) hits.forEach((hit) => header.take(hit));
  header.assertAudit();
  const asset = reading.asset ?? reading.fallback;
  const kept = { remarks: new ReportRemarks(), rules: new ReportRules() };
  const advisories = new Advisories(asset, kept);
  return {
    format: 'npm-audit',
    tools: [{ name: 'npm audit', category: '', about: asset ? [asset] : [], failures: [], silence: null }],
    ...kept,
    defaultKind: 'ASM_PACKAGE',
    bracketed: true,
    count: null,
    isUnplaced: asset === null,
    unread: [],
    entries: () =>
      entriesIn(bytes, [
        {
          path: byPackage,
          noun: 'entry of a package',
          read: (given, at) => advisories.ofPackage(given, String(at.at(-1)).slice(0, 300)),
        },
        { path: byAdvisory, noun: 'advisory', read: (given) => [advisories.ofOld(given)] },
      ]),
  };
}
