import type { FindingDetail, FindingRule, FoundIdentifier } from '../issues/finding-detail.js';
import type { Cuts } from './cuts.js';
import { classificationOf, words } from './nuclei-category.js';
import { bagOf, compact, identifiersIn, textsIn } from './report-details.js';
import { longest } from './report-finding.js';
import { type Fields, fieldsOf, firstText, listOf, numberOf, textOf } from './report-text.js';
import { absolutePath, type SourceRoots } from './source-roots.js';

const maxText = 5_000;
const maxTags = 100;

/** The fields of a line that are kept elsewhere; all others are kept as properties. */
const keptElsewhere = new Set([
  'template-id',
  'templateID',
  'template_id',
  'templateId',
  'matcher-name',
  'matcher_name',
  'matcherName',
  'info',
  'request',
  'response',
  'interaction',
  'extracted-results',
  'extracted_results',
  'matched-at',
  'matched',
]);
/** The fields of a template that are kept elsewhere. */
const keptOfInfo = new Set(['name', 'description', 'impact', 'remediation', 'reference', 'tags']);

function without(fields: Fields, names: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)));
}

/** Fields of a finding in a file that hold its path. */
const pathFields = ['matched-at', 'matched', 'host', 'path', 'url'];

/** A finding in a file with its paths below the checkout; `absolute` are those that lie elsewhere. */
export function belowRoots(line: Fields, roots: SourceRoots): { line: Fields; absolute: string[] } {
  if (textOf(line['type'], 50).toLowerCase() !== 'file') return { line, absolute: [] };
  const changed: Fields = { ...line };
  const absolute = new Set<string>();
  for (const field of pathFields) {
    const path = absolutePath(textOf(line[field], longest.path));
    if (path === null) continue;
    const below = roots.below(path);
    if (below === null) absolute.add(path);
    else changed[field] = below;
  }
  return { line: changed, absolute: [...absolute] };
}

/** The template of a line. */
export function ruleOf(line: Fields, id: string, cuts: Cuts): FindingRule {
  const info = fieldsOf(line['info']);
  const references = listOf(info['reference']).flatMap((one) => textOf(one, 500) || []);
  const properties = bagOf(without(info, keptOfInfo), 'the property', cuts);
  return compact<FindingRule>({
    id,
    name: textOf(info['name'], longest.name),
    description: cuts.text(info['description'], maxText, 'the description'),
    help: cuts.text(info['impact'], maxText, 'the impact'),
    helpUri: firstText(longest.url, line['template-url'], line['template_url'], references[0]),
    references: cuts.list(references, maxTags, 'references'),
    tags: cuts.list(words(info['tags']), maxTags, 'tags'),
    ...(properties ? { properties } : {}),
  });
}

function cpesOf(classification: Fields): FoundIdentifier[] {
  return listOf(classification['cpe'])
    .slice(0, 20)
    .flatMap((cpe) => {
      const value = textOf(cpe, longest.identifier);
      return value === '' ? [] : [{ type: 'CPE' as const, value }];
    });
}

/** What a line says beyond what every issue has. */
export function detailOf(line: Fields, at: string, cuts: Cuts): FindingDetail {
  const info = fieldsOf(line['info']);
  const classification = classificationOf(info);
  const cwes = words(classification['cwe-id'] ?? classification['cweId']);
  const texts = [...cwes, ...words(classification['cve-id']), ...words(info['tags']), ...textsIn(classification)];
  const bare = cwes.flatMap((text) => (/^\d+$/.test(text) ? [Number(text)] : []));
  const score = numberOf(classification['cvss-score'] ?? classification['cvss_score']);
  const properties = bagOf(without(line, keptElsewhere), 'the property', cuts);
  const remediation = cuts.text(info['remediation'], maxText, 'the remediation');
  return compact<FindingDetail>({
    identifiers: identifiersIn(texts, bare, cuts, cpesOf(classification)),
    ...(score === null ? {} : { score }),
    locations: at === '' ? [] : [/^[a-z][a-z\d+.-]*:\/\//i.test(at) ? { url: at } : { path: at }],
    fixes: remediation === '' ? [] : [{ description: remediation, changes: [] }],
    ...(properties ? { properties } : {}),
  });
}
