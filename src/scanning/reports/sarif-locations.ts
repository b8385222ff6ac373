import type { TargetCreate } from '../issues/issue-target.dto.js';
import { maxLine } from '../vocabulary.js';
import type { Cuts } from './cuts.js';
import { longest, most, type ReportAttachment } from './report-finding.js';
import { type Fields, fieldsOf, identifierOf, listOf, numberOf, textOf } from './report-text.js';
import type { SarifFiles } from './sarif-files.js';
import { decoded } from './source-roots.js';
import { languageOfPath } from './source-language.js';
import { parseUrl } from '../../config/parse-url.js';

/** The place of a result: a file, or a page where its address is a web URL. */
export interface SarifPlace {
  kind: 'file' | 'page';
  /** The path relative to the root of the sources, or the URL. */
  address: string;
  /** The base that its path is relative to, by its id. */
  baseId: string;
  language: string;
  line: number | null;
  snippet: string;
  /** Whether it is the path of one machine: below no root that is known. */
  isAbsolute: boolean;
  /** The line with which the snippet begins. */
  snippetLine: number | null;
}

const maxSnippet = 10_000;
/** A path, with room for encoded characters. */
const maxUri = 4 * longest.path;

export function logicalName(location: Fields): string {
  const logical = fieldsOf(listOf(location['logicalLocations'])[0] ?? location['logicalLocation']);
  return textOf(logical['fullyQualifiedName'], longest.path) || textOf(logical['name'], longest.path);
}

function snippetOf(physical: Fields, cuts: Cuts): Pick<SarifPlace, 'snippet' | 'snippetLine'> {
  for (const region of [fieldsOf(physical['region']), fieldsOf(physical['contextRegion'])]) {
    const snippet = cuts.code(fieldsOf(region['snippet'])['text'], maxSnippet, 'a snippet');
    if (snippet) return { snippet, snippetLine: numberOf(region['startLine']) };
  }
  return { snippet: '', snippetLine: null };
}

export function toPlace(value: unknown, files: SarifFiles, cuts: Cuts): SarifPlace[] {
  const location = fieldsOf(value);
  const physical = fieldsOf(location['physicalLocation']);
  const given = fieldsOf(physical['artifactLocation']);
  const own = cuts.firstIdentifier(maxUri, 'a path', given['uri']);
  const artifact = files.artifact(numberOf(given['index']));
  const region = fieldsOf(physical['region']);
  const baseId = textOf(given['uriBaseId'], 200) || (artifact?.baseId ?? '');
  const place = { baseId, line: numberOf(region['startLine']), ...snippetOf(physical, cuts), isAbsolute: false };
  const uri = own || (artifact?.uri ?? '');
  if (/^https?:\/\/[^/]/i.test(uri) && parseUrl(uri)) {
    const address = cuts.firstIdentifier(longest.url, 'an address', uri);
    return [{ kind: 'page', address, language: '', ...place }];
  }
  const { path, isAbsolute } = files.pathOf(own === '' ? (artifact?.decoded ?? '') : decoded(own), baseId);
  // Unspecified: the address of a result without a file. It is its logical location.
  const name = cuts.firstIdentifier(longest.path, 'a path', path, logicalName(location));
  if (name === '') return [];
  const language =
    textOf(region['sourceLanguage'], 100) || artifact?.language || languageOfPath(path) || files.defaultLanguage;
  return [{ kind: 'file', address: name, language, ...place, isAbsolute }];
}

/** The absolute paths of a result that lie below no known root. */
export function absolutePathsOf(places: readonly SarifPlace[]): string[] {
  return places.flatMap(({ isAbsolute, address }) => (isAbsolute ? address : []));
}

/** The places of a result, in order. */
export function placesOf(result: Fields, files: SarifFiles, cuts: Cuts): SarifPlace[] {
  const locations = cuts.list(listOf(result['locations']), most.targets, 'locations');
  const places = locations.flatMap((location) => toPlace(location, files, cuts));
  if (places.length > 0) return places;
  return toPlace({ physicalLocation: { artifactLocation: result['analysisTarget'] } }, files, cuts);
}

/** The places as targets, each file and page once. */
export function targetsOf(places: SarifPlace[]): TargetCreate[] {
  const targets = new Map<string, TargetCreate>();
  for (const { kind, address, language, line } of places) {
    const known = targets.get(address);
    if (known?.webPage) known.webPage.visits++;
    if (known) continue;
    const targetUid = identifierOf(address, longest.uid);
    if (kind === 'page') targets.set(address, { targetUid, webPage: { url: address, visits: 1 } });
    else targets.set(address, { targetUid, codeFile: { language, path: address, ...(isLine(line) ? { line } : {}) } });
  }
  return [...targets.values()];
}

/** Whether a file can have such a line or column. */
function isLine(line: number | null): line is number {
  return line !== null && Number.isInteger(line) && line >= 1 && line <= maxLine;
}

/** A line or column of a region, if it has one. */
export function lineOf(field: 'startLine' | 'endLine' | 'startColumn' | 'endColumn', region: Fields): object {
  const line = numberOf(region[field]);
  return isLine(line) ? { [field]: line } : {};
}

/** The snippets of the places that have one. */
export function snippetsOf(places: SarifPlace[], cuts: Cuts): ReportAttachment[] {
  const withCode = places.filter(({ snippet }) => snippet !== '');
  const shown = cuts.list(withCode, most.snippets, 'snippets');
  return shown.map(({ address, language, line, snippet, snippetLine }) => ({
    type: 'SNIPPET',
    snippet: {
      name: textOf(inWords(address, line), 200),
      ...(language === '' ? {} : { language }),
      content: snippet,
      ...(isLine(snippetLine) ? { startLine: snippetLine } : {}),
    },
  }));
}

/** `src/cart.ts:29`. */
export function inWords(address: string, line: number | null): string {
  return line === null ? address : `${address}:${line}`;
}
