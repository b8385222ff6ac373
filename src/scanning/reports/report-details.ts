import { sha256 } from '../../platform/crypto/digests.js';
import type { FindingDetail, FindingRule, FoundIdentifier, KnownRule } from '../issues/finding-detail.js';
import { cwesIn } from './cwe-category.js';
import type { Cuts } from './cuts.js';
import type { ReportRemarks } from './report-remarks.js';
import { type Fields, listOf } from './report-text.js';

// Unspecified: how much of what a report says of a finding, and of all rules together, is kept.
const maxDetail = 96 * 1024;
const maxBag = 16 * 1024;
const maxIdentifiers = 100;
const maxShort = 500;
/** Among them may be the identifiers of thousands of packages, which are counted. */
const maxTexts = 5_000;
const maxRuleCharacters = 32 * 2 ** 20;

/** Characters that jsonb cannot hold: NUL and lone surrogates, which JSON escapes. */
const unstorable = /\\u(?:0000|d[89a-f])/i;

function clean(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(clean);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), clean(inner)]));
}

/** The value as JSON that the database can store. */
function storableJson(value: object): string {
  const json = JSON.stringify(value);
  return unstorable.test(json) ? JSON.stringify(clean(value)) : json;
}

/**
 * The parts that go first where a detail is too large: the largest ones, which least of all tell one finding from
 * another.
 */
const lastToStay = ['evidence', 'properties', 'locations', 'fixes', 'suppressions', 'tags'] as const;

/** The detail of a finding as JSON, within its bounds. */
export function detailJson(detail: FindingDetail, cuts: Cuts): string {
  let json = storableJson(detail);
  if (json.length <= maxDetail) return json;
  const rest = { ...detail };
  for (const part of lastToStay) {
    if (json.length <= maxDetail) break;
    if (rest[part] === undefined) continue;
    delete rest[part];
    cuts.note(`the ${part} are too large to keep with the rest`);
    json = storableJson(rest);
  }
  return json;
}

/** A bag of properties where it says something and is small enough to keep. */
export function bagOf(bag: Fields, what: string, cuts: Cuts): Record<string, unknown> | undefined {
  const said = Object.entries(bag).filter(([, value]) => value !== undefined && value !== null && value !== '');
  if (said.length === 0) return undefined;
  const kept = Object.fromEntries(said);
  if (JSON.stringify(kept).length <= maxBag) return kept;
  // Short fields say most, so they come first.
  const sized = said.map(([key, value]) => ({ key, value, size: JSON.stringify(value).length + key.length }));
  const small: Record<string, unknown> = {};
  let size = 0;
  for (const one of sized.sort((first, second) => first.size - second.size)) {
    size += one.size + 6;
    if (size > maxBag) cuts.note(`${what} ${one.key.slice(0, 100)} is too large to keep`);
    else small[one.key] = one.value;
  }
  return small;
}

const cve = /\bCVE-\d{4}-\d{4,19}\b/gi;
const ghsa = /\bGHSA(?:-[a-z\d]{4}){3}\b/gi;

/** The identifiers in texts such as tags, the given weaknesses and further ones, each once. */
export function identifiersIn(
  texts: readonly string[],
  cwes: readonly number[],
  cuts: Cuts | null = null,
  further: readonly FoundIdentifier[] = [],
): FoundIdentifier[] {
  const found = new Map<string, FoundIdentifier>();
  for (const number of cwes) if (Number.isInteger(number) && number > 0) add(found, 'CWE', `CWE-${number}`);
  for (const { type, value } of [...namedIn(texts), ...further]) add(found, type, value);
  const all = [...found.values()];
  return cuts?.list(all, maxIdentifiers, 'identifiers') ?? all.slice(0, maxIdentifiers);
}

/** The identifiers in texts, each once. */
export function namedIn(texts: readonly string[]): FoundIdentifier[] {
  const found = new Map<string, FoundIdentifier>();
  for (const text of texts) {
    const begun = text.slice(0, 2_000);
    for (const number of cwesIn(begun)) add(found, 'CWE', `CWE-${number}`);
    for (const [id] of begun.matchAll(cve)) add(found, 'CVE', id.toUpperCase());
    for (const [id] of begun.matchAll(ghsa)) add(found, 'GHSA', `GHSA${id.slice(4).toLowerCase()}`);
  }
  return [...found.values()];
}

function add(found: Map<string, FoundIdentifier>, type: FoundIdentifier['type'], value: string): void {
  found.set(value, { type, value });
}

/** Short texts in a bag, in which tools write identifiers under many names. */
export function textsIn(bag: Fields): string[] {
  const values = Object.values(bag).slice(0, 100).flatMap(listOf).slice(0, maxTexts);
  return values.flatMap((value) => (typeof value === 'string' && value.length <= maxShort ? value : []));
}

/** The object without what is undefined, empty or null. */
export function compact<T extends object>(fields: T): T {
  const said = Object.entries(fields).filter(
    ([, value]) =>
      value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(said) as T;
}

/** What readers keep beside the findings themselves. */
export interface Keeping {
  remarks: ReportRemarks;
  rules: ReportRules;
}

/** The rules that the findings of one report name, each once. */
export class ReportRules {
  private readonly rules = new Map<string, string>();
  private characters = 0;

  /** The digest of a rule that is kept from now on; null if there is no room for it. */
  add(rule: FindingRule, cuts: Cuts): string | null {
    const json = storableJson(rule);
    const digest = sha256(json);
    if (this.rules.has(digest)) return digest;
    this.characters += json.length;
    if (this.characters > maxRuleCharacters) {
      cuts.note('the rules of the report are too large to keep all of them');
      return null;
    }
    this.rules.set(digest, json);
    return digest;
  }

  /** Those of these digests. */
  of(digests: Iterable<string>): KnownRule[] {
    return [...digests].flatMap((digest) => {
      const json = this.rules.get(digest);
      return json === undefined ? [] : [{ digest, json }];
    });
  }
}
