import type { AssetDraft } from '../assets/asset-draft.js';
import { CodeFindings } from './code-findings.js';
import { cwesIn } from './cwe-category.js';
import { Cuts } from './cuts.js';
import { addressesOf, described, severityBy, titleOf, vulnerabilityEntry } from './package-findings.js';
import { packageOf } from './package-names.js';
import { compact, type Keeping } from './report-details.js';
import { longest, type ReportEntry, type ReportFinding } from './report-finding.js';
import { type Fields, fieldsOf, firstText, listOf, numberOf, textOf } from './report-text.js';
import { withoutSecrets } from './secret-masking.js';
import type { SourceRoots } from './source-roots.js';

const maxText = 5_000;
const maxSnippet = 10_000;

export type TrivyKind = 'vulnerability' | 'misconfiguration' | 'secret' | 'license' | 'modified';

/** How a finding was set aside, by a file of VEX or `.trivyignore`. */
interface SetAside {
  status?: ReportFinding['status'];
  suppressions?: { kind?: string; status?: string; justification?: string }[];
}

/** The scores by their fields, the newest method first. */
const scoreFields = ['V40Score', 'V3Score', 'V2Score'];

/** The score of the source that gives the severity, else the highest of the newest method. */
function scoreOf(vulnerability: Fields): number | null {
  const sources = fieldsOf(vulnerability['CVSS']);
  const own = fieldsOf(sources[textOf(vulnerability['SeveritySource'], 100)]);
  const all = Object.values(sources).slice(0, 100).map(fieldsOf);
  for (const given of [[own], all]) {
    for (const field of scoreFields) {
      const scores = given.flatMap((one) => numberOf(one[field]) ?? []);
      if (scores.length > 0) return Math.max(...scores);
    }
  }
  return null;
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

/** The lines of code that Trivy shows. */
function codeOf(value: unknown, cuts: Cuts): { snippet: string; snippetLine: unknown } {
  const lines = listOf(fieldsOf(value)['Lines']).slice(0, 1_000).map(fieldsOf);
  const text = lines.map(({ Content }) => (typeof Content === 'string' ? Content : '')).join('\n');
  return { snippet: cuts.code(text, maxSnippet, 'a snippet'), snippetLine: lines[0]?.['Number'] };
}

const unplaced = 'The report names neither an image nor a repository: name its asset with the query parameter asset';

const ofVulnerabilityRule = ['DataSource', 'VendorIDs', 'PublishedDate', 'LastModifiedDate', 'CVSS', 'VendorSeverity'];
const keptOfVulnerability = [
  'VulnerabilityID',
  'PkgName',
  'InstalledVersion',
  'Title',
  'Description',
  'CweIDs',
  'References',
  ...ofVulnerabilityRule,
];
const keptOfMisconfiguration = [
  'ID',
  'AVDID',
  'Title',
  'Description',
  'Message',
  'Resolution',
  'References',
  'PrimaryURL',
];

/** Reads the findings of one report of Trivy. */
export class TrivyFindings {
  private readonly code: CodeFindings;

  constructor(
    private readonly asset: AssetDraft | null,
    roots: SourceRoots,
    private readonly kept: Keeping,
  ) {
    this.code = new CodeFindings(roots, kept);
  }

  /** The entry of an element of a result, which tells its target, class and type. */
  entryOf(kind: TrivyKind, element: Fields, result: Fields): ReportEntry {
    if (!this.asset) return { skipped: unplaced, unplaced: true };
    return kind === 'modified'
      ? this.modified(element, result, this.asset)
      : this.read(kind, element, result, this.asset, {});
  }

  private read(
    kind: Exclude<TrivyKind, 'modified'>,
    element: Fields,
    result: Fields,
    asset: AssetDraft,
    aside: SetAside,
  ): ReportEntry {
    if (kind === 'vulnerability') return this.vulnerability(element, result, asset, aside);
    if (kind === 'misconfiguration') return this.misconfiguration(element, result, asset, aside);
    return kind === 'secret' ? this.secret(element, result, asset, aside) : this.license(element, result, asset, aside);
  }

  /** A finding that `.trivyignore` or a VEX document sets aside. */
  private modified(element: Fields, result: Fields, asset: AssetDraft): ReportEntry {
    const kind = textOf(element['Type'], 50);
    const state = textOf(element['Status'], 50);
    if (kind !== 'vulnerability' && kind !== 'misconfiguration' && kind !== 'secret' && kind !== 'license') {
      return { skipped: `The modified finding has an unknown type: ${kind.slice(0, 50) || 'none'}` };
    }
    const texts = [element['Statement'], element['Source']].map((text) => textOf(text, 2_000));
    const justification = texts.filter((text) => text !== '').join('\n');
    const isAside = state === 'not_affected' || state === 'ignored';
    const aside: SetAside = isAside
      ? { status: 'IGNORED', suppressions: [compact({ kind: 'vex', status: state, justification })] }
      : {};
    const entry = this.read(kind, fieldsOf(element['Finding']), result, asset, aside);
    if (state !== 'fixed' || !('finding' in entry)) return entry;
    return { skipped: 'The report says that the finding is fixed', isNone: true, absent: entry.finding };
  }

  private vulnerability(given: Fields, result: Fields, asset: AssetDraft, aside: SetAside): ReportEntry {
    const cuts = new Cuts();
    const id = textOf(given['VulnerabilityID'], longest.identifier);
    if (id === '') return { skipped: 'The vulnerability has no VulnerabilityID' };
    const found = packageOf({
      purl: fieldsOf(given['PkgIdentifier'])['PURL'],
      ecosystem: result['Type'],
      name: given['PkgName'],
      version: given['InstalledVersion'],
    });
    // The target of an image's system packages names the version of the system.
    const isOfSystem = textOf(result['Class'], 50) === 'os-pkgs';
    const score = scoreOf(given);
    const fixed = textOf(given['FixedVersion'], 500);
    return vulnerabilityEntry(
      {
        id,
        title: titleOf(given['Title']),
        description: described(cuts, given['Description']),
        severity: severityBy([given['Severity']], score),
        score,
        package: found,
        file: isOfSystem ? '' : textOf(result['Target'], longest.path),
        aliases: listOf(given['VendorIDs']).map((one) => textOf(one, 200)),
        cwes: listOf(given['CweIDs'])
          .slice(0, 100)
          .flatMap((one) => cwesIn(textOf(one, 50))),
        references: addressesOf(given['References']),
        helpUri: textOf(given['PrimaryURL'], longest.url),
        fix: fixed === '' || !found ? '' : `Update ${found.name} to ${fixed}`,
        ...aside,
        ofRule: pick(given, ofVulnerabilityRule),
        ofFinding: { ...without(given, keptOfVulnerability), target: result['Target'] },
      },
      asset,
      this.kept,
      cuts,
    );
  }

  private misconfiguration(given: Fields, result: Fields, asset: AssetDraft, aside: SetAside): ReportEntry {
    const status = textOf(given['Status'], 50);
    if (status === 'PASS' || status === 'EXCEPTION') {
      return { skipped: `The check did not fail (Status ${status})`, isNone: true };
    }
    const cuts = new Cuts();
    // Versions of Trivy write AVD-AWS-0001, AWS-0001, and ids of their own beside it.
    const id = firstText(longest.identifier, given['AVDID'], given['ID']).replace(/^AVD-/, '');
    if (id === '') return { skipped: 'The misconfiguration has no ID' };
    const cause = fieldsOf(given['CauseMetadata']);
    const resource = textOf(cause['Resource'], 500);
    const message = cuts.text(given['Message'], maxText, 'the message');
    const description = described(cuts, given['Description']);
    const help = cuts.text(given['Resolution'], maxText, 'the resolution');
    const title = titleOf(given['Title']) || id;
    return this.code.entryOf(
      {
        rule: {
          id,
          title,
          description,
          help,
          helpUri: textOf(given['PrimaryURL'], longest.url),
          references: addressesOf(given['References']),
        },
        name: title,
        message,
        severity: severityBy([given['Severity']], null),
        category: 'CONFIGURATION',
        aliases: [textOf(given['ID'], 200), textOf(given['AVDID'], 200)],
        cwes: [],
        file: textOf(result['Target'], longest.path),
        startLine: cause['StartLine'],
        endLine: cause['EndLine'],
        inside: resource,
        ...codeOf(cause['Code'], cuts),
        fix: help,
        print: resource || message,
        ...aside,
        ofRule: pick(given, ['ID', 'AVDID', 'Type', 'Namespace', 'Query']),
        ofFinding: {
          ...without(given, [...keptOfMisconfiguration, 'CauseMetadata', 'Type', 'Namespace', 'Query']),
          cause: without(cause, ['Code', 'StartLine', 'EndLine', 'Resource']),
        },
      },
      asset,
      cuts,
    );
  }

  private secret(given: Fields, result: Fields, asset: AssetDraft, aside: SetAside): ReportEntry {
    const cuts = new Cuts();
    const id = textOf(given['RuleID'], longest.identifier);
    if (id === '') return { skipped: 'The secret has no RuleID' };
    // Trivy writes asterisks for the secret; what else looks like one is masked, too.
    const match = withoutSecrets(cuts.text(given['Match'], maxText, 'the match'));
    const { snippet, snippetLine } = codeOf(given['Code'], cuts);
    const title = titleOf(given['Title']) || id;
    return this.code.entryOf(
      {
        rule: { id, title, description: '', help: '', helpUri: '', references: [] },
        name: title,
        message: match,
        severity: severityBy([given['Severity']], null),
        category: 'SENSITIVE_DATA',
        aliases: [],
        cwes: [798],
        file: textOf(result['Target'], longest.path),
        startLine: given['StartLine'],
        endLine: given['EndLine'],
        inside: '',
        snippet: withoutSecrets(snippet),
        snippetLine,
        fix: '',
        print: match,
        ...aside,
        ofRule: pick(given, ['Category']),
        ofFinding: without(given, ['RuleID', 'Title', 'Category', 'Match', 'Code', 'StartLine', 'EndLine']),
      },
      asset,
      cuts,
    );
  }

  private license(given: Fields, result: Fields, asset: AssetDraft, aside: SetAside): ReportEntry {
    const cuts = new Cuts();
    const name = textOf(given['Name'], 300);
    if (name === '') return { skipped: 'The license has no Name' };
    const owner = firstText(longest.path, given['PkgName'], given['FilePath']);
    const message = owner === '' ? `The license is ${name}` : `${owner} has the license ${name}`;
    return this.code.entryOf(
      {
        rule: {
          id: `license-${name}`,
          title: `License ${name}`,
          description: '',
          help: '',
          helpUri: textOf(given['Link'], longest.url),
          references: [],
        },
        name: owner === '' ? `License ${name}` : `License ${name} of ${owner}`,
        message,
        severity: severityBy([given['Severity']], null),
        aliases: [],
        cwes: [],
        file: firstText(longest.path, given['FilePath'], result['Target']),
        startLine: undefined,
        endLine: undefined,
        inside: '',
        snippet: '',
        snippetLine: undefined,
        fix: '',
        print: owner,
        ...aside,
        ofRule: {},
        ofFinding: without(given, ['Name', 'PkgName', 'FilePath', 'Link']),
      },
      asset,
      cuts,
    );
  }
}
