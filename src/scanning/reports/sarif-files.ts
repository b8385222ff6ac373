import { Cuts } from './cuts.js';
import { longest } from './report-finding.js';
import { fieldsOf, textOf } from './report-text.js';
import type { SarifBudget } from './sarif-budget.js';
import { absolutePath, decoded, SourceRoots } from './source-roots.js';

const maxBases = 100;
const maxHops = 10;
const maxPrefix = 1_024;
/** With a scheme of at least two letters, since a single letter is a drive, and another one than `file`. */
const otherUri = /^(?!file:)[a-z][a-z\d+.-]+:/i;

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

function isOtherUri(uri: string): boolean {
  return otherUri.test(uri);
}

function joined(base: string, uri: string): string {
  return base === '' || base.endsWith('/') ? base + uri : `${base}/${uri}`;
}

function outermostFirst(uris: string[]): string[] {
  return uris.sort((one, other) => one.length - other.length);
}

/** The files of a run (SARIF 2.1.0, sections 3.14.14 and 3.24). */
export class SarifFiles {
  defaultLanguage = '';
  private bases = new Map<string, SarifBase>();
  private readonly workingDirectories = new Set<string>();
  /** The absolute bases of other schemes than `file`, decoded and with a slash at their end, the outermost first. */
  private otherRoots: string[] = [];
  /** The folders that the run itself names, made for its first result. */
  private own: SourceRoots | null = null;
  private readonly prefixes = new Map<string, string>();
  private readonly artifacts = new Map<number, SarifArtifact>();

  /** `given` is the folder of the checkout, if the caller names it: it counts before those that the run names. */
  constructor(private readonly given: SourceRoots) {}

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
    const roots = [...bases.values()].map(({ uri }) => decoded(uri)).filter(isOtherUri);
    this.otherRoots = outermostFirst(roots.map((root) => joined(root, '')));
    this.prefixes.clear();
    this.own = null;
  }

  /** Section 3.20.19: where the tool was started. */
  addWorkingDirectory(value: unknown, budget: SarifBudget): void {
    const { uri: given } = fieldsOf(value);
    const uri = textOf(given, longest.path);
    if (uri === '' || this.workingDirectories.size >= maxBases || !budget.takes(1, uri.length)) return;
    this.workingDirectories.add(uri);
    this.own = null;
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

  /**
   * The path of a file by its decoded uri: relative to the checkout, else to the outermost base or working directory
   * that contains it. `isAbsolute` where none does.
   */
  pathOf(uri: string, baseId: string): { path: string; isAbsolute: boolean } {
    const absolute = isOtherUri(uri) ? null : absolutePath(uri);
    const below = absolute === null ? null : (this.given.below(absolute) ?? this.ownRoots.below(absolute));
    const whole = below ?? absolute ?? (isOtherUri(uri) ? this.belowBases(uri) : joined(this.prefixOf(baseId), uri));
    const path = whole.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
    return {
      path: path.replaceAll('\0', '').toWellFormed().trim(),
      isAbsolute: absolute !== null && below === null,
    };
  }

  /** A message without the folders that differ from one machine to the next. */
  withoutRoots(text: string): string {
    return this.ownRoots.without(this.given.without(text));
  }

  private get ownRoots(): SourceRoots {
    if (this.own) return this.own;
    const bases = [...this.bases.values()].map(({ uri }) => uri);
    this.own = new SourceRoots([...outermostFirst(bases), ...outermostFirst([...this.workingDirectories])]);
    return this.own;
  }

  /** The path of a base below the outermost one, through all bases in between. */
  private prefixOf(baseId: string): string {
    if (!this.bases.has(baseId)) return '';
    const known = this.prefixes.get(baseId);
    if (known !== undefined) return known;
    let path = '';
    for (let id = baseId, hops = 0; hops < maxHops; hops++) {
      const base = this.bases.get(id);
      if (!base || base.uri === '' || isOtherUri(base.uri) || absolutePath(base.uri) !== null) break;
      const longer = joined(decoded(base.uri), path);
      if (longer.length > maxPrefix) break;
      path = longer;
      id = base.baseId;
    }
    this.prefixes.set(baseId, path);
    return path;
  }

  private belowBases(uri: string): string {
    const outermost = this.otherRoots.find((root) => uri.startsWith(root));
    return outermost === undefined ? uri : uri.slice(outermost.length);
  }
}
