import { Cuts } from './cuts.js';
import { longest } from './report-finding.js';
import { fieldsOf, textOf } from './report-text.js';
import type { SarifBudget } from './sarif-budget.js';

const maxBases = 100;
const maxHops = 10;
const maxPrefix = 1_024;
/** With a scheme of at least two letters: a single letter is a drive. */
const absolute = /^[a-z][a-z\d+.-]+:/i;

/** A file that results name by its index: decoded once for all of them. */
export interface SarifArtifact {
  uri: string;
  /** Its uri, decoded. */
  decoded: string;
  baseId: string;
  language: string;
}

interface SarifBase {
  uri: string;
  baseId: string;
}

/** The uri with escapes such as `%20` decoded; escapes of invalid UTF-8 stay. */
export function decoded(uri: string): string {
  if (!uri.includes('%')) return uri;
  return uri.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

function joined(base: string, uri: string): string {
  return base === '' || base.endsWith('/') ? base + uri : `${base}/${uri}`;
}

/** The files of a run (SARIF 2.1.0, sections 3.14.14 and 3.24). */
export class SarifFiles {
  defaultLanguage = '';
  private bases = new Map<string, SarifBase>();
  /** The absolute bases, decoded and with a slash at their end, the outermost first. */
  private roots: string[] = [];
  private readonly prefixes = new Map<string, string>();
  private readonly artifacts = new Map<number, SarifArtifact>();

  setBases(value: unknown, budget: SarifBudget): void {
    if (budget.isSpent) return;
    const bases = new Map<string, SarifBase>();
    for (const [id, given] of Object.entries(fieldsOf(value)).slice(0, maxBases)) {
      const base = fieldsOf(given);
      const [uri, baseId] = [textOf(base['uri'], longest.path), textOf(base['uriBaseId'], 200)];
      const key = textOf(id, 200);
      if (!budget.takes(1, key.length + uri.length + baseId.length)) break;
      bases.set(key, { uri, baseId });
    }
    this.bases = bases;
    const roots = [...bases.values()].map(({ uri }) => decoded(uri)).filter((root) => absolute.test(root));
    this.roots = roots.map((root) => joined(root, '')).sort((one, other) => one.length - other.length);
    this.prefixes.clear();
  }

  addArtifact(index: number, value: unknown, budget: SarifBudget): void {
    if (budget.isSpent) return;
    const { location, sourceLanguage } = fieldsOf(value);
    const given = fieldsOf(location);
    const uri = new Cuts().firstIdentifier(longest.path, 'a path', given['uri']);
    const [baseId, language] = [textOf(given['uriBaseId'], 200), textOf(sourceLanguage, 100)];
    // A long list may hold nothing but empty artifacts.
    if (uri === '' && language === '') return;
    if (!budget.takes(1, 2 * uri.length + baseId.length + language.length)) return;
    this.artifacts.set(index, { uri, decoded: decoded(uri), baseId, language });
  }

  artifact(index: number | null): SarifArtifact | undefined {
    return index === null ? undefined : this.artifacts.get(index);
  }

  /** The path of a file by its decoded uri, relative to the outermost base that contains it. */
  pathOf(uri: string, baseId: string): string {
    const whole = absolute.test(uri) ? this.belowBases(uri) : joined(this.prefixOf(baseId), uri);
    const path = whole.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
    return path.replaceAll('\0', '').toWellFormed().trim();
  }

  /** The path of a base below the outermost one, through all bases in between. */
  private prefixOf(baseId: string): string {
    if (!this.bases.has(baseId)) return '';
    const known = this.prefixes.get(baseId);
    if (known !== undefined) return known;
    let path = '';
    for (let id = baseId, hops = 0; hops < maxHops; hops++) {
      const base = this.bases.get(id);
      if (!base || base.uri === '' || absolute.test(base.uri) || base.uri.startsWith('/')) break;
      const longer = joined(decoded(base.uri), path);
      if (longer.length > maxPrefix) break;
      path = longer;
      id = base.baseId;
    }
    this.prefixes.set(baseId, path);
    return path;
  }

  private belowBases(uri: string): string {
    const outermost = this.roots.find((root) => uri.startsWith(root));
    if (outermost !== undefined) return uri.slice(outermost.length);
    return uri.replace(/^file:(?:\/\/localhost(?=\/))?\/*/i, '');
  }
}
