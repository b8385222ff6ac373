import { Invalid } from '../../platform/errors/invalid.js';
import type { TargetCreate } from '../issues/issue-target.dto.js';
import type { IssueSeverity } from '../vocabulary.js';
import { issueSeverities } from '../vocabulary.js';
import { Cuts } from './cuts.js';
import { requestIn, responseIn } from './http-text.js';
import { categoryOf, classificationOf, words } from './nuclei-category.js';
import { belowRoots, detailOf, ruleOf } from './nuclei-details.js';
import { type NucleiElement, nucleiElements } from './nuclei-elements.js';
import { assetOf } from './nuclei-places.js';
import { isEmpty } from './report-bytes.js';
import { detailJson, type Keeping, ReportRules } from './report-details.js';
import {
  longest,
  type Reading,
  type Report,
  type ReportAttachment,
  type ReportBytes,
  type ReportEntry,
} from './report-finding.js';
import { ReportRemarks } from './report-remarks.js';
import { type Fields, fieldsOf, firstText, identifierOf, listOf, shortened, textOf } from './report-text.js';

/** A field of a line, under any of the names that different versions use. */
function field(line: Fields, ...names: string[]): string {
  return firstText(longest.url, ...names.map((name) => line[name]));
}

function templateOf(line: Fields): string {
  return field(line, 'template-id', 'templateID', 'template_id', 'templateId');
}

// Unspecified: how much of a line is kept.
const maxSnippet = 64 * 1024;
const maxExtracted = 200;
const maxReferences = 50;

function severityOf(info: Fields): IssueSeverity {
  const given = textOf(info['severity'], 50).toUpperCase();
  return issueSeverities.find((severity) => severity === given) ?? 'INFO';
}

/** Fields for the address where the template matched, the most exact first. */
const matchFields = ['matched-at', 'matched', 'url', 'host', 'ip'];

/** Unspecified: the kind of target for a host and port. It is a page with that address. */
function targetOf(address: string): TargetCreate {
  return { targetUid: identifierOf(address, longest.uid), webPage: { url: address, visits: 1 } };
}

function snippet(name: string, content: string, cuts: Cuts): ReportAttachment {
  const whole = content.replaceAll('\0', '').toWellFormed();
  return { type: 'SNIPPET', snippet: { name, content: cuts.shortened(whole, maxSnippet, `the ${name}`) } };
}

/** Indented for readers, unless it is too long to keep: indenting deep nesting could multiply its size by a hundred. */
function jsonOf(value: Fields): string {
  const text = JSON.stringify(value);
  return text.length > maxSnippet ? text : JSON.stringify(value, null, 2);
}

/** Request and response as an exchange; those of protocols other than HTTP as snippets. */
function attachmentsOf(line: Fields, at: string, cuts: Cuts): ReportAttachment[] {
  const [sent, received] = [line['request'], line['response']].map((text) => (typeof text === 'string' ? text : ''));
  const request = requestIn(sent ?? '', at, cuts);
  const response = responseIn(received ?? '', cuts);
  // A request that reached a server elsewhere proves the finding.
  const interaction = fieldsOf(line['interaction']);
  const further = Object.keys(interaction).length > 0 ? jsonOf(interaction) : '';
  const isExchange = request !== null && (response !== null || (received ?? '').trim() === '');
  const texts = [
    ...(isExchange ? [] : [['request', sent ?? ''] as const, ['response', received ?? ''] as const]),
    ['interaction', further] as const,
  ];
  const snippets = texts.filter(([, text]) => text.trim() !== '').map(([name, text]) => snippet(name, text, cuts));
  if (!isExchange) return snippets;
  return [{ type: 'EXCHANGE', exchange: { request, ...(response ? { response } : {}) } }, ...snippets];
}

function contextOf(line: Fields, info: Fields, matcher: string, cuts: Cuts): string {
  const results = listOf(line['extracted-results'] ?? line['extracted_results']);
  const extracted = cuts.list(results, maxExtracted, 'extracted results');
  const references = cuts.list(listOf(info['reference']), maxReferences, 'references');
  const cves = words(classificationOf(info)['cve-id']).join(', ').toUpperCase();
  const found = extracted.map((item) => cuts.text(item, 500, 'an extracted result'));
  const parts = [
    cuts.text(info['description'], 5_000, 'the description'),
    matcher === '' ? '' : `Matcher ${matcher}`,
    found.length === 0 ? '' : `Extracted:\n${found.join('\n')}`,
    cves,
    cuts.text(info['remediation'], 5_000, 'the remediation'),
    references.map((item) => cuts.text(item, 500, 'a reference')).join('\n'),
  ];
  return cuts.shortened(parts.filter((part) => part !== '').join('\n\n'), longest.context, 'the context');
}

const unplaced =
  'The finding does not name a site, host or complete path: name its asset with the query parameter asset';

function readLine(given: Fields, { asset: named, fallback, roots }: Reading, kept: Keeping): ReportEntry {
  const { line, absolute } = belowRoots(given, roots);
  const template = templateOf(line);
  if (template === '') return { skipped: 'The finding has no template-id' };
  if (line['matcher-status'] === false) return { skipped: 'The template did not match (matcher-status false)' };
  const asset = named ?? assetOf(line) ?? fallback ?? assetOf(given);
  if (!asset) return { skipped: unplaced, unplaced: true };
  const cuts = new Cuts();
  const info = fieldsOf(line['info']);
  const matcher = field(line, 'matcher-name', 'matcher_name', 'matcherName');
  const at = cuts.firstIdentifier(longest.url, 'the address', ...matchFields.map((name) => line[name]));
  const name = cuts.firstText(longest.name, 'the name', info['name'], template);
  const context = contextOf(line, info, matcher, cuts);
  kept.remarks.addAbsolute(absolute);
  const ruleDigest = kept.rules.add(ruleOf(line, template, cuts), cuts);
  const finding = {
    asset,
    name,
    severity: severityOf(info),
    category: categoryOf(info),
    context,
    securityTestUid: identifierOf(template, longest.identifier),
    fingerprint: JSON.stringify([template, matcher, at]),
    targets: at === '' ? [] : [targetOf(at)],
    detail: detailJson(detailOf(line, at, cuts), cuts),
    ...(ruleDigest === null ? {} : { ruleDigest }),
    event: {
      title: `${name}${matcher === '' ? '' : ` (${shortened(matcher, 100)})`}${at === '' ? '' : ` at ${shortened(at, 200)}`}`,
      description: context || name,
      attachments: attachmentsOf(line, at, cuts),
    },
  };
  return { finding, cut: cuts.reason };
}

function entryOf(element: NucleiElement, reading: Reading, kept: Keeping): ReportEntry {
  if ('fault' in element) return { skipped: `The finding ${element.fault}` };
  const { value } = element;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? readLine(fieldsOf(value), reading, kept) : { skipped: 'The finding is not an object' };
}

const silence =
  'The report is empty: Nuclei writes nothing when it finds nothing, but a tool that did not run writes nothing ' +
  'either. If this is a clean scan, send allowEmpty=true';

/** The number of lines. Refuses a report without a line of Nuclei, since it comes from another tool. */
async function countedNuclei(bytes: ReportBytes): Promise<number> {
  let elements = 0;
  for await (const part of nucleiElements(bytes)) {
    if (part.some((element) => 'value' in element && templateOf(fieldsOf(element.value)) !== '')) return part.length;
    elements += part.length;
  }
  if (elements === 0) return 0;
  throw Invalid.at(['body'], 'value_error', 'This is not a Nuclei report: none of its lines has a template-id');
}

/**
 * Reads a report of Nuclei: from `-jsonl`, one finding a line, or from `-json-export`, an array
 * (https://docs.projectdiscovery.io/opensource/nuclei/running). `Invalid` for anything else.
 */
export async function readNucleiJsonl(bytes: ReportBytes, reading: Reading): Promise<Report> {
  const count = await countedNuclei(bytes);
  const kept = { remarks: new ReportRemarks(), rules: new ReportRules() };
  const isSilent = count === 0 && !reading.allowEmpty && (await isEmpty(bytes));
  return {
    format: 'nuclei-jsonl',
    tools: [
      {
        name: 'Nuclei',
        category: '',
        about: reading.asset ? [reading.asset] : [],
        failures: [],
        silence: isSilent ? silence : null,
      },
    ],
    ...kept,
    defaultKind: 'ASM_WEBAPP',
    bracketed: false,
    count: null,
    isUnplaced: false,
    unread: [],
    async *entries() {
      for await (const elements of nucleiElements(bytes)) {
        yield elements.map((element) => entryOf(element, reading, kept));
      }
    },
  };
}
