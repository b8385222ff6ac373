import type { AssetDraft } from '../assets/asset-draft.js';
import type { FindingDetail, FindingRule } from '../issues/finding-detail.js';
import type { IssueSeverity } from '../vocabulary.js';
import { categoryOfCwes } from './cwe-category.js';
import type { Cuts } from './cuts.js';
import { inVersion, type NamedPackage } from './package-names.js';
import { bagOf, compact, detailJson, identifiersIn, type Keeping } from './report-details.js';
import { longest, type ReportEntry, type ReportFinding } from './report-finding.js';
import { type Fields, firstText, identifierOf, listOf, paragraphs, textOf } from './report-text.js';
import { languageOfPath } from './source-language.js';

const maxText = 5_000;
const maxReferences = 100;

/** A known vulnerability of a package, as formats of dependency scanners say it. */
export interface PackageVulnerability {
  /** The id under which the report lists it, such as `CVE-2026-1234`. */
  id: string;
  title: string;
  description: string;
  severity: IssueSeverity;
  score: number | null;
  package: NamedPackage | null;
  /** The file that names the package, such as a lock file; empty if the report names none. */
  file: string;
  /** Texts with further identifiers of it. */
  aliases: string[];
  cwes: number[];
  references: string[];
  helpUri: string;
  /** How to get rid of it. */
  fix: string;
  status?: ReportFinding['status'];
  suppressions?: FindingDetail['suppressions'];
  /** What else the report says of the vulnerability itself. */
  ofRule: Fields;
  /** What else it says of this finding. */
  ofFinding: Fields;
}

/** Distinct addresses of lists and texts. */
export function addressesOf(...values: unknown[]): string[] {
  const texts = values.flatMap(listOf).flatMap((value) => textOf(value, 500).split(/\s+/));
  return [...new Set(texts.filter((text) => text !== ''))];
}

function ruleOf(of: PackageVulnerability, cuts: Cuts): FindingRule {
  const properties = bagOf(of.ofRule, 'the property', cuts);
  return compact<FindingRule>({
    id: of.id,
    name: of.title,
    description: of.description,
    helpUri: of.helpUri,
    references: cuts.list(of.references, maxReferences, 'references'),
    ...(properties ? { properties } : {}),
  });
}

/**
 * The finding of a vulnerability in a package. It is the same in every version of the package, wherever the report lists
 * it: its parts are the vulnerability, the package and the file that names it.
 */
export function vulnerabilityEntry(
  of: PackageVulnerability,
  asset: AssetDraft,
  { rules }: Keeping,
  cuts: Cuts,
): ReportEntry {
  const named = of.package;
  const title = named ? `${of.id} in ${named.name}` : of.id;
  const name = cuts.shortened(of.title === '' ? title : `${title}: ${of.title}`, longest.name, 'the name');
  const place = of.file || named?.key || '';
  const message = named ? `${inVersion(named)} has the vulnerability ${of.id}` : '';
  const ruleDigest = rules.add(ruleOf(of, cuts), cuts);
  const properties = bagOf({ ...(named ? { package: { ...named } } : {}), ...of.ofFinding }, 'the property', cuts);
  const detail = compact<FindingDetail>({
    message,
    identifiers: identifiersIn([of.id, ...of.aliases], of.cwes, cuts),
    ...(of.score === null ? {} : { score: of.score }),
    locations: place === '' ? [] : [compact({ path: place, name: named ? inVersion(named) : '' })],
    fixes: of.fix === '' ? [] : [{ description: of.fix, changes: [] }],
    suppressions: of.suppressions ?? [],
    ...(properties ? { properties } : {}),
  });
  const texts = [message, of.description, of.fix, of.references.slice(0, 50).join('\n'), place];
  const path = identifierOf(place, longest.path);
  return {
    finding: {
      asset,
      name,
      severity: of.severity,
      category: categoryOfCwes(of.cwes),
      context: paragraphs(texts, longest.context),
      securityTestUid: identifierOf(of.id, longest.identifier),
      fingerprint: JSON.stringify([of.id, named?.key ?? '', of.file]),
      ...(of.status ? { status: of.status } : {}),
      targets:
        path === ''
          ? []
          : [{ targetUid: identifierOf(place, longest.uid), codeFile: { language: languageOfPath(of.file), path } }],
      detail: detailJson(detail, cuts),
      ...(ruleDigest === null ? {} : { ruleDigest }),
      event: {
        title: named ? `${of.id} in ${inVersion(named)}` : of.id,
        description: paragraphs([message, of.description], 10_000) || name,
        attachments: [],
      },
    },
    cut: cuts.reason,
  };
}

const severityWords: Record<string, IssueSeverity> = {
  critical: 'CRITICAL',
  high: 'HIGH',
  important: 'HIGH',
  error: 'HIGH',
  medium: 'MEDIUM',
  moderate: 'MEDIUM',
  warning: 'MEDIUM',
  low: 'LOW',
  minor: 'LOW',
  note: 'LOW',
  negligible: 'INFO',
  info: 'INFO',
  information: 'INFO',
  informational: 'INFO',
  none: 'INFO',
};

/** The severity by a tool's own word; null for an unknown one. */
export function severityOfWord(value: unknown): IssueSeverity | null {
  const word = textOf(value, 50).toLowerCase();
  return Object.hasOwn(severityWords, word) ? (severityWords[word] ?? null) : null;
}

/** The severity by the first word that is one, else by the score (CVSS 3.1, section 5). */
export function severityBy(words: unknown[], score: number | null): IssueSeverity {
  for (const word of words) {
    const severity = severityOfWord(word);
    if (severity) return severity;
  }
  if (score === null || score <= 0) return 'INFO';
  if (score >= 9) return 'CRITICAL';
  if (score >= 7) return 'HIGH';
  return score >= 4 ? 'MEDIUM' : 'LOW';
}

/** A description, cut to what is kept of one. */
export function described(cuts: Cuts, ...values: unknown[]): string {
  return cuts.firstText(maxText, 'the description', ...values);
}

/** The first text that is short enough to be a title. */
export function titleOf(...values: unknown[]): string {
  return firstText(longest.name, ...values).split('\n', 1)[0] ?? '';
}
