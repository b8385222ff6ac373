import { isIP } from 'node:net';
import { Invalid } from '../../common/errors/invalid.js';
import type { AssetDraft } from '../assets/asset-draft.js';
import type { TargetCreate } from '../issues/issue-target.shapes.js';
import type { IssueCategory, IssueSeverity } from '../vocabulary.js';
import { issueSeverities } from '../vocabulary.js';
import { categoryOfCwes, cwesIn } from './cwe-category.js';
import { requestIn, responseIn } from './http-text.js';
import { type NucleiElement, nucleiElements } from './nuclei-elements.js';
import { frontendAt, hostAt, webUrlOf } from './report-assets.js';
import { longest, type Report, type ReportAttachment, type ReportBytes, type ReportEntry } from './report-finding.js';
import {
  type Fields,
  fieldsOf,
  firstText,
  identifierOf,
  listOf,
  numberOf,
  paragraphs,
  shortened,
  textOf,
} from './report-text.js';

// Not shown: what the tags of templates say of the category, where they name no weakness.
const categoryOfTag: Record<string, IssueCategory> = {
  xss: 'INJECTION',
  sqli: 'INJECTION',
  rce: 'INJECTION',
  lfi: 'INJECTION',
  rfi: 'INJECTION',
  ssti: 'INJECTION',
  xxe: 'INJECTION',
  injection: 'INJECTION',
  crlf: 'INJECTION',
  deserialization: 'INJECTION',
  traversal: 'INJECTION',
  csrf: 'REQUEST_FORGERY',
  ssrf: 'REQUEST_FORGERY',
  idor: 'ACCESS_CONTROL',
  unauth: 'ACCESS_CONTROL',
  'auth-bypass': 'ACCESS_CONTROL',
  'default-login': 'ACCESS_CONTROL',
  redirect: 'ACCESS_CONTROL',
  takeover: 'ACCESS_CONTROL',
  exposure: 'INFORMATION_DISCLOSURE',
  disclosure: 'INFORMATION_DISCLOSURE',
  debug: 'INFORMATION_DISCLOSURE',
  listing: 'INFORMATION_DISCLOSURE',
  token: 'SENSITIVE_DATA',
  tokens: 'SENSITIVE_DATA',
  keys: 'SENSITIVE_DATA',
  dos: 'RESOURCE_LIMITATION',
  misconfig: 'CONFIGURATION',
  misconfiguration: 'CONFIGURATION',
  cors: 'CONFIGURATION',
  headers: 'CONFIGURATION',
  ssl: 'PROTOCOL',
  tls: 'PROTOCOL',
};

/** The fields of a line by the name that tools of any version give them. */
function field(line: Fields, ...names: string[]): string {
  return firstText(longest.url, ...names.map((name) => line[name]));
}

function templateOf(line: Fields): string {
  return field(line, 'template-id', 'templateID', 'template_id', 'templateId');
}

/** A list that older versions write as text with commas. */
function words(value: unknown): string[] {
  const texts = listOf(value).flatMap((item) => textOf(item, 1_000).split(','));
  return texts.map((text) => text.trim().toLowerCase()).filter((text) => text !== '');
}

function classificationOf(info: Fields): Fields {
  return fieldsOf(info['classification']);
}

function categoryOf(info: Fields): IssueCategory {
  const cwes = words(classificationOf(info)['cwe-id'] ?? classificationOf(info)['cweId']).flatMap((text) =>
    /^\d+$/.test(text) ? [Number(text)] : cwesIn(text),
  );
  const byCwe = categoryOfCwes(cwes);
  if (byCwe !== 'CUSTOM') return byCwe;
  const tag = words(info['tags']).find((word) => Object.hasOwn(categoryOfTag, word));
  return (tag && categoryOfTag[tag]) || byCwe;
}

function severityOf(info: Fields): IssueSeverity {
  const given = textOf(info['severity'], 50).toUpperCase();
  return issueSeverities.find((severity) => severity === given) ?? 'INFO';
}

/** A host and its port, as `example.com:443` and `[::1]:8080` have them. */
function hostAndPort(text: string): { address: string; port: number | null } {
  const bare = text.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').split(/[/?#]/)[0] ?? '';
  const [, v6, host = v6 ?? '', port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(bare) ?? [];
  const address = isIP(bare) === 6 ? bare : host;
  return { address: address.toLowerCase(), port: port === undefined ? null : numberOf(port) };
}

const maxAddress = 500;

function assetOf(line: Fields): AssetDraft | null {
  const place = field(line, 'host', 'url', 'matched-at', 'matched', 'ip');
  const url = webUrlOf(place);
  if (url) return frontendAt(url);
  const { address, port } = hostAndPort(place);
  if (address === '' || address.length > maxAddress || /\s/.test(address)) return null;
  const ip = textOf(line['ip'], 100);
  const ports = [port ?? numberOf(line['port'])].filter((given) => given !== null && given > 0 && given <= 65_535);
  return hostAt(address, isIP(ip) > 0 ? [ip] : [], ports as number[]);
}

function matchedAt(line: Fields): string {
  return field(line, 'matched-at', 'matched', 'url', 'host', 'ip');
}

/** Not shown: what kind of target a host and port are; a page, whose address they are. */
function targetOf(address: string): TargetCreate {
  return { targetUid: identifierOf(address, longest.uid), webPage: { url: address, visits: 1 } };
}

function snippet(name: string, content: string): ReportAttachment {
  return {
    type: 'SNIPPET',
    snippet: { name, content: shortened(content.replaceAll('\0', '').toWellFormed(), 64 * 1024) },
  };
}

/** Request and response as an exchange; those of other protocols than HTTP as they are. */
function attachmentsOf(line: Fields): ReportAttachment[] {
  const [sent, received] = [line['request'], line['response']].map((text) => (typeof text === 'string' ? text : ''));
  const request = requestIn(sent ?? '', matchedAt(line));
  if (!request) {
    const texts = [['request', sent ?? ''] as const, ['response', received ?? ''] as const];
    return texts.filter(([, text]) => text.trim() !== '').map(([name, text]) => snippet(name, text));
  }
  const response = responseIn(received ?? '');
  return [{ type: 'EXCHANGE', exchange: { request, ...(response ? { response } : {}) } }];
}

function contextOf(line: Fields, info: Fields, matcher: string): string {
  const extracted = listOf(line['extracted-results'] ?? line['extracted_results']).map((item) => textOf(item, 500));
  const references = listOf(info['reference']).map((item) => textOf(item, 500));
  const cves = words(classificationOf(info)['cve-id']).join(', ').toUpperCase();
  const parts = [
    textOf(info['description'], 5_000),
    matcher === '' ? '' : `Matcher ${matcher}`,
    extracted.length === 0 ? '' : `Extracted:\n${extracted.slice(0, 50).join('\n')}`,
    cves,
    textOf(info['remediation'], 5_000),
    references.slice(0, 20).join('\n'),
  ];
  return paragraphs(parts, longest.context);
}

function readLine(line: Fields): ReportEntry {
  const template = templateOf(line);
  if (template === '') return { skipped: 'The finding has no template-id' };
  if (line['matcher-status'] === false) return { skipped: 'The template did not match (matcher-status false)' };
  const asset = assetOf(line);
  if (!asset) return { skipped: 'The finding names no host' };
  const info = fieldsOf(line['info']);
  const matcher = field(line, 'matcher-name', 'matcher_name', 'matcherName');
  const at = matchedAt(line);
  const name = firstText(longest.name, info['name'], template);
  const context = contextOf(line, info, matcher);
  const finding = {
    asset,
    name,
    severity: severityOf(info),
    category: categoryOf(info),
    context,
    securityTestUid: identifierOf(template, longest.identifier),
    fingerprint: JSON.stringify([template, matcher, at]),
    targets: [targetOf(at)],
    event: {
      title: `${name}${matcher === '' ? '' : ` (${shortened(matcher, 100)})`} at ${shortened(at, 200)}`,
      description: context || name,
      attachments: attachmentsOf(line),
    },
  };
  return { finding };
}

function entryOf(element: NucleiElement): ReportEntry {
  return 'fault' in element ? { skipped: `The finding ${element.fault}` } : readLine(fieldsOf(element.value));
}

/** Not a line of Nuclei's: then it is another tool's report, of which nothing is taken. */
async function demandNuclei(bytes: ReportBytes): Promise<void> {
  let elements = 0;
  for await (const part of nucleiElements(bytes)) {
    if (part.some((element) => 'value' in element && templateOf(fieldsOf(element.value)) !== '')) return;
    elements += part.length;
  }
  if (elements > 0)
    throw Invalid.at(['body'], 'value_error', 'This is no Nuclei report: no line of it has a template-id');
}

/**
 * Reads what Nuclei writes with `-jsonl`, one finding a line, or with `-json-export`, an array
 * (https://docs.projectdiscovery.io/opensource/nuclei/running). `Invalid` for what is none.
 */
export async function readNucleiJsonl(bytes: ReportBytes): Promise<Report> {
  await demandNuclei(bytes);
  return {
    format: 'nuclei-jsonl',
    tool: 'Nuclei',
    defaultKind: 'ASM_WEBAPP',
    bracketed: false,
    async *entries() {
      for await (const elements of nucleiElements(bytes)) yield elements.map(entryOf);
    },
  };
}
