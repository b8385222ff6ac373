import type { TargetCreate } from '../issues/issue-target.shapes.js';
import { identifierOf, type Fields, fieldsOf, listOf, numberOf, textOf } from './report-text.js';
import { longest, type ReportAttachment } from './report-finding.js';
import { languageOfPath } from './source-language.js';

/** Where a result is: a file, or a page where its address is a URL of the web. */
export interface SarifPlace {
  kind: 'file' | 'page';
  /** The path relative to the root of the sources, or the URL. */
  address: string;
  language: string;
  line: number | null;
  snippet: string;
}

/** What a run tells of its files (SARIF 2.1.0, sections 3.14.14 and 3.24). */
export interface SarifFiles {
  bases: Fields;
  artifacts: Fields[];
  defaultLanguage: string;
}

const maxBases = 10;
const maxSnippet = 10_000;
/** With a scheme of two letters or more: one letter is a drive. */
const absolute = /^[a-z][a-z\d+.-]+:/i;

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

function joined(base: string, uri: string): string {
  return base === '' || base.endsWith('/') ? base + uri : `${base}/${uri}`;
}

/** The base that an id names, and its own base, and so on: what they add up to, relative to the outermost. */
function prefixOf(bases: Fields, baseId: string): string {
  let path = '';
  for (let id = baseId, hops = 0; id !== '' && hops < maxBases; hops++) {
    const base = fieldsOf(bases[id]);
    const uri = textOf(base['uri'], longest.path);
    if (uri === '' || absolute.test(uri) || uri.startsWith('/')) break;
    path = joined(uri, path);
    id = textOf(base['uriBaseId'], 200);
  }
  return path;
}

/** A file's absolute address, relative to the outermost of the run's bases that it lies in. */
function belowBases(uri: string, bases: Fields): string {
  const roots = Object.values(bases)
    .map((base) => textOf(fieldsOf(base)['uri'], longest.path))
    .filter((root) => root !== '' && absolute.test(root) && uri.startsWith(joined(root, '')));
  const outermost = roots.sort((one, other) => one.length - other.length)[0];
  return outermost === undefined ? uri.replace(/^file:\/*/i, '') : uri.slice(joined(outermost, '').length);
}

function pathOf(uri: string, baseId: string, bases: Fields): string {
  const whole = absolute.test(uri) ? belowBases(uri, bases) : joined(prefixOf(bases, baseId), uri);
  const path = decoded(whole)
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '');
  return textOf(path, longest.path);
}

function logicalName(location: Fields): string {
  const logical = fieldsOf(listOf(location['logicalLocations'])[0] ?? location['logicalLocation']);
  return textOf(logical['fullyQualifiedName'], longest.path) || textOf(logical['name'], longest.path);
}

function snippetOf(physical: Fields): string {
  const [region, context] = [fieldsOf(physical['region']), fieldsOf(physical['contextRegion'])];
  const [own, around] = [fieldsOf(region['snippet'])['text'], fieldsOf(context['snippet'])['text']];
  // Spaces at a line's start are part of it.
  return (typeof own === 'string' && own.trim() !== '' ? [own] : [around])
    .map((text) => (typeof text === 'string' ? text.slice(0, maxSnippet).replaceAll('\0', '').toWellFormed() : ''))
    .join('');
}

function toPlace(value: unknown, files: SarifFiles): SarifPlace[] {
  const location = fieldsOf(value);
  const physical = fieldsOf(location['physicalLocation']);
  const given = fieldsOf(physical['artifactLocation']);
  const artifact = files.artifacts[numberOf(given['index']) ?? -1] ?? {};
  const { uri, uriBaseId } = { ...fieldsOf(artifact['location']), ...given };
  const region = fieldsOf(physical['region']);
  const place = { line: numberOf(region['startLine']), snippet: snippetOf(physical) };
  const address = textOf(uri, longest.path);
  if (/^https?:\/\/[^/]/i.test(address) && URL.canParse(address)) {
    return [{ kind: 'page', address, language: '', ...place }];
  }
  const path = address === '' ? '' : pathOf(address, textOf(uriBaseId, 200), files.bases);
  // Not shown: where a result is that names no file; the name of its place in the program stands for it.
  const name = path || logicalName(location);
  if (name === '') return [];
  const language =
    textOf(region['sourceLanguage'], 100) ||
    textOf(artifact['sourceLanguage'], 100) ||
    languageOfPath(path) ||
    files.defaultLanguage;
  return [{ kind: 'file', address: name, language, ...place }];
}

// Not shown: how many places of one finding are kept, and how many of them shown with their code.
const maxPlaces = 1_000;
const maxSnippets = 10;

/** The places of a result, in its order. */
export function placesOf(result: Fields, files: SarifFiles): SarifPlace[] {
  const locations = listOf(result['locations']).slice(0, maxPlaces);
  const places = locations.flatMap((location) => toPlace(location, files));
  if (places.length > 0) return places;
  return toPlace({ physicalLocation: { artifactLocation: result['analysisTarget'] } }, files);
}

/** The places as targets: a file, or a page, is one target however often it is named. */
export function targetsOf(places: SarifPlace[]): TargetCreate[] {
  const targets = new Map<string, TargetCreate>();
  for (const { kind, address, language } of places) {
    const targetUid = identifierOf(address, longest.uid);
    const known = targets.get(targetUid)?.webPage;
    if (known) known.visits++;
    else if (kind === 'page') targets.set(targetUid, { targetUid, webPage: { url: address, visits: 1 } });
    else targets.set(targetUid, { targetUid, codeFile: { language, path: address } });
  }
  return [...targets.values()];
}

/** The code of the places, where the report has it. */
export function snippetsOf(places: SarifPlace[]): ReportAttachment[] {
  const shown = places.filter(({ snippet }) => snippet !== '').slice(0, maxSnippets);
  return shown.map(({ address, language, line, snippet }) => ({
    type: 'SNIPPET',
    snippet: {
      name: textOf(inWords(address, line), 200),
      ...(language === '' ? {} : { language }),
      content: snippet,
    },
  }));
}

/** `src/cart.ts:29`. */
export function inWords(address: string, line: number | null): string {
  return line === null ? address : `${address}:${line}`;
}
