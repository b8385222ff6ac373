import { sha256 } from '../../platform/crypto/digests.js';
import { masked } from '../../platform/crypto/secret-mask.js';
import type { AssetDraft } from '../assets/asset-draft.js';
import { CodeFindings } from './code-findings.js';
import { Cuts } from './cuts.js';
import { addressesOf, described, severityBy, titleOf, vulnerabilityEntry } from './package-findings.js';
import { packageOf } from './package-names.js';
import { containerImage } from './report-assets.js';
import type { Keeping } from './report-details.js';
import { longest, type ReportEntry } from './report-finding.js';
import { type Fields, fieldsOf, firstText, listOf, numberOf, textOf } from './report-text.js';
import { withoutSecrets } from './secret-masking.js';
import type { SourceRoots } from './source-roots.js';

/** The types of scans whose reports are read. */
export const gitLabTypes: ReadonlySet<string> = new Set([
  'sast',
  'secret_detection',
  'dependency_scanning',
  'container_scanning',
]);

const maxText = 5_000;
const unplaced = 'The report does not name its project: name its asset with the query parameter asset';

/** What the rest of the report says of its findings. */
export interface GitLabScan {
  type: string;
  remediations: ReadonlyMap<string, Fields>;
}

interface Identifier {
  type: string;
  name: string;
  value: string;
  url: string;
}

function identifiersOf(given: Fields): Identifier[] {
  return listOf(given['identifiers'])
    .slice(0, 100)
    .map(fieldsOf)
    .map(({ type, name, value, url }) => ({
      type: textOf(type, 100).toLowerCase(),
      name: textOf(name, 300),
      value: textOf(value, 300),
      url: textOf(url, longest.url),
    }))
    .filter(({ name, value }) => name !== '' || value !== '');
}

/** The signatures of a place that stay the same when lines move, the most exact first. */
const signatures = ['scope_offset_compressed', 'scope_offset', 'hash'];

/** Where GitLab tracks a finding (`tracking`), whatever happens to the lines before it. */
function trackedAt(given: Fields): string {
  const items = listOf(fieldsOf(given['tracking'])['items']).slice(0, 10).map(fieldsOf);
  const all = items.flatMap((item) => listOf(item['signatures']).map(fieldsOf));
  for (const algorithm of signatures) {
    const found = all.find((one) => one['algorithm'] === algorithm);
    const value = textOf(found?.['value'], 2_000);
    if (value !== '') return value;
  }
  return '';
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

const keptElsewhere = [
  'name',
  'message',
  'description',
  'severity',
  'solution',
  'identifiers',
  'links',
  'location',
  'raw_source_code_extract',
  'cve',
];

/** Everything in a value masked that is the secret, or looks like one. */
function cleanOf(value: unknown, secret: string): unknown {
  if (typeof value === 'string') {
    const bare = secret === '' ? value : value.replaceAll(secret, masked(secret));
    return withoutSecrets(bare);
  }
  if (Array.isArray(value)) return value.map((one) => cleanOf(one, secret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cleanOf(one, secret)]));
}

/** A finding of secret detection without the secret itself, whose digest tells it from others. */
function withoutSecret(given: Fields): { fields: Fields; print: string } {
  const extract = typeof given['raw_source_code_extract'] === 'string' ? given['raw_source_code_extract'] : '';
  const secret = extract.trim();
  const { identifiers, links, ...told } = given;
  const fields = cleanOf({ ...told, raw_source_code_extract: '' }, secret) as Fields;
  const shown = secret === '' ? '' : masked(secret);
  return {
    fields: { ...fields, identifiers, links, raw_source_code_extract: shown },
    print: secret === '' ? '' : sha256(secret),
  };
}

/** Reads the findings of one report. */
export class GitLabFindings {
  private readonly code: CodeFindings;

  constructor(
    private readonly asset: AssetDraft | null,
    roots: SourceRoots,
    private readonly scan: GitLabScan,
    private readonly kept: Keeping,
  ) {
    this.code = new CodeFindings(roots, kept);
  }

  entryOf(given: Fields): ReportEntry {
    const type = textOf(given['category'], 50) || this.scan.type;
    const location = fieldsOf(given['location']);
    const image = textOf(location['image'], 500);
    const asset = this.asset ?? (image === '' ? null : containerImage(image));
    if (!asset) return { skipped: unplaced, unplaced: true };
    if (type === 'secret_detection') {
      const { fields, print } = withoutSecret(given);
      return this.inCode(fields, print, asset, true);
    }
    return 'dependency' in location ? this.inPackage(given, location, asset) : this.inCode(given, '', asset, false);
  }

  /** What the report proposes against the finding: by its id or, in older reports, its fingerprint `cve`. */
  private remedyOf(given: Fields): Fields {
    const known = [given['id'], given['cve']].map((id) => this.scan.remediations.get(textOf(id, longest.identifier)));
    return known.find((one) => one !== undefined) ?? {};
  }

  private inPackage(given: Fields, location: Fields, asset: AssetDraft): ReportEntry {
    const cuts = new Cuts();
    const identifiers = identifiersOf(given);
    const listed = identifiers.find(({ type }) => type === 'cve' || type === 'ghsa') ?? identifiers[0];
    const id = (listed?.name || listed?.value || textOf(given['name'], longest.identifier)).slice(
      0,
      longest.identifier,
    );
    if (id === '') return { skipped: 'The vulnerability has neither an identifier nor a name' };
    const dependency = fieldsOf(location['dependency']);
    const file = textOf(location['file'], longest.path);
    const remedy = this.remedyOf(given);
    const fix = [given['solution'], remedy['summary']].map((text) => cuts.text(text, maxText, 'the solution'));
    const links = listOf(given['links']).map((one) => fieldsOf(one)['url']);
    const named = fieldsOf(dependency['package'])['name'];
    return vulnerabilityEntry(
      {
        id,
        title: titleOf(given['name'], given['message']),
        description: described(cuts, given['description']),
        severity: severityBy([given['severity']], null),
        score: null,
        package: packageOf({ ecosystem: ecosystemOf(file), name: named, version: dependency['version'] }),
        file,
        aliases: identifiers.flatMap(({ name, value }) => [name, value]),
        cwes: cwesOf(identifiers),
        references: addressesOf(
          identifiers.map(({ url }) => url),
          links,
        ),
        helpUri: firstText(longest.url, listed?.url, links[0]),
        fix: [...new Set(fix)].filter((text) => text !== '').join('\n\n'),
        ofRule: { identifiers },
        ofFinding: { ...without(given, keptElsewhere), location, links: given['links'], diff: remedy['diff'] },
      },
      asset,
      this.kept,
      cuts,
    );
  }

  private inCode(given: Fields, print: string, asset: AssetDraft, isSecret: boolean): ReportEntry {
    const cuts = new Cuts();
    const identifiers = identifiersOf(given);
    const [primary] = identifiers;
    const name = titleOf(given['name'], given['message'], primary?.name);
    const id = (primary?.value || primary?.name || name).slice(0, longest.identifier);
    if (id === '') return { skipped: 'The vulnerability has neither an identifier nor a name' };
    const location = fieldsOf(given['location']);
    const inside = [location['class'], location['method']].map((text) => textOf(text, 500));
    const links = listOf(given['links']).map((one) => fieldsOf(one)['url']);
    const remedy = this.remedyOf(given);
    const fix = [given['solution'], remedy['summary']].map((text) => cuts.text(text, maxText, 'the solution'));
    const extract = given['raw_source_code_extract'];
    const snippet = isSecret ? textOf(extract, 100) : cuts.code(extract, 10_000, 'a snippet');
    return this.code.entryOf(
      {
        rule: {
          id,
          title: primary?.name ?? name,
          description: '',
          help: '',
          helpUri: firstText(longest.url, primary?.url, links[0]),
          references: addressesOf(
            identifiers.map(({ url }) => url),
            links,
          ),
        },
        name,
        message: described(cuts, given['description'], given['message'], given['name']),
        severity: severityBy([given['severity']], null),
        ...(isSecret ? { category: 'SENSITIVE_DATA' as const } : {}),
        aliases: identifiers.flatMap(({ name: one, value }) => [one, value]),
        cwes: isSecret ? [798, ...cwesOf(identifiers)] : cwesOf(identifiers),
        file: textOf(location['file'], longest.path),
        startLine: location['start_line'],
        endLine: location['end_line'] ?? location['start_line'],
        inside: inside.filter((text) => text !== '').join('.'),
        snippet,
        snippetLine: location['start_line'],
        fix: [...new Set(fix)].filter((text) => text !== '').join('\n\n'),
        print: print || trackedAt(given) || inside.join('.'),
        ofRule: { identifiers },
        ofFinding: {
          ...without(given, keptElsewhere),
          message: given['message'],
          location: without(location, ['file', 'start_line', 'end_line']),
          links: given['links'],
          diff: isSecret ? undefined : remedy['diff'],
          ...(isSecret ? {} : { cve: given['cve'] }),
        },
      },
      asset,
      cuts,
    );
  }
}

function cwesOf(identifiers: Identifier[]): number[] {
  return identifiers.flatMap(({ type, value }) =>
    type === 'cwe' ? (numberOf(value.replace(/^cwe-/i, '')) ?? []) : [],
  );
}

const ecosystems: [file: RegExp, ecosystem: string][] = [
  [/(?:package-lock|npm-shrinkwrap|pnpm-lock|yarn)\.(?:json|lock|yaml)$|package\.json$/i, 'npm'],
  [
    /(?:(?:^|\/)requirements[^/]*\.(?:txt|pip)|Pipfile(?:\.lock)?|poetry\.lock|uv\.lock|setup\.py|pyproject\.toml)$/i,
    'pypi',
  ],
  [/(?:Gemfile\.lock|gems\.locked)$/i, 'gem'],
  [/go\.(?:sum|mod)$/i, 'golang'],
  [/Cargo\.lock$/i, 'cargo'],
  [/composer\.lock$/i, 'composer'],
  [/(?:pom\.xml|gradle\.lockfile|build\.gradle(?:\.kts)?|maven\.graph\.json|ivy-report\.xml|\.jar)$/i, 'maven'],
  [/(?:packages\.lock\.json|\.csproj|project\.assets\.json)$/i, 'nuget'],
];

/** GitLab names a package without its ecosystem; its file tells it. */
function ecosystemOf(file: string): string {
  return ecosystems.find(([pattern]) => pattern.test(file))?.[1] ?? '';
}
