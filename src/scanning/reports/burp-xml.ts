import type { FindingDetail, FindingRule } from '../issues/finding-detail.js';
import type { IssueSeverity } from '../vocabulary.js';
import { categoryOfCwes, cwesIn } from './cwe-category.js';
import { Cuts } from './cuts.js';
import { requestIn, responseIn } from './http-text.js';
import { severityOfWord } from './package-findings.js';
import { frontendAt, webUrlOf } from './report-assets.js';
import { bagOf, compact, detailJson, identifiersIn, type Keeping, ReportRules } from './report-details.js';
import {
  longest,
  most,
  type Reading,
  type Report,
  type ReportAttachment,
  type ReportBytes,
  type ReportEntry,
} from './report-finding.js';
import { ReportRemarks } from './report-remarks.js';
import { type Fields, fieldsOf, identifierOf, listOf, paragraphs, plainText, textOf } from './report-text.js';
import { type XmlFormat, xmlParts, XmlReportParser } from './xml-report-parser.js';

export const burpXmlRoot = 'issues';
const format: XmlFormat = { root: burpXmlRoot, tool: 'Burp', hasDocumentType: true, keepsAttributes: true };

interface BurpIssue {
  value: unknown;
  fault: string | null;
}

/** Finds the issues of a report. */
class BurpXmlParser extends XmlReportParser<BurpIssue> {
  constructor() {
    super(format);
  }

  protected opened(): boolean {
    return this.path.length === 2;
  }

  protected built(name: string, value: unknown, fault: string | null): void {
    this.parts.push({ value: name === 'issue' ? value : null, fault });
  }
}

const maxText = 5_000;
/** Many times what is kept of a request or response. */
const maxMessage = 2 ** 20;
const fields = {
  background: 'issueBackground',
  detail: 'issueDetail',
  remediation: 'remediationBackground',
  own: 'remediationDetail',
} as const;
const keptElsewhere = new Set([
  ...Object.values(fields),
  'name',
  'type',
  'severity',
  'requestresponse',
  'references',
  'vulnerabilityClassifications',
]);

/** An element's text, whether or not it has attributes. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  const text = fieldsOf(value)['#text'];
  return typeof text === 'string' ? text : '';
}

function plain(issue: Fields, field: string, cuts: Cuts): string {
  return cuts.shortened(plainText(textIn(issue[field]), 4 * maxText), maxText, `the ${field}`);
}

/** The addresses in HTML. */
function linksIn(value: unknown): string[] {
  const html = textIn(value).slice(0, 64 * 1024);
  return [...new Set(Array.from(html.matchAll(/href="(https?:\/\/[^"\s]{1,500})"/gi), ([, link = '']) => link))];
}

/** A request or response, which Burp encodes where it is told to. */
function messageText(value: unknown): string {
  const text = textIn(value);
  if (textOf(fieldsOf(value)['@base64'], 10) !== 'true') return text;
  return Buffer.from(text.slice(0, maxMessage), 'base64').toString('utf8');
}

function exchangesOf(issue: Fields, base: string, cuts: Cuts): ReportAttachment[] {
  const pairs = listOf(issue['requestresponse']).map(fieldsOf);
  return cuts.list(pairs, most.exchanges, 'requests and responses').flatMap((pair) => {
    const request = requestIn(messageText(pair['request']), base, cuts);
    if (!request) return [];
    const response = responseIn(messageText(pair['response']), cuts);
    return [{ type: 'EXCHANGE' as const, exchange: { request, ...(response ? { response } : {}) } }];
  });
}

const severities: Record<string, IssueSeverity> = { 'false positive': 'INFO' };

function severityOf(issue: Fields): IssueSeverity {
  const word = textOf(textIn(issue['severity']), 50).toLowerCase();
  return severities[word] ?? severityOfWord(word) ?? 'INFO';
}

/** The rest of an issue without requests and responses, which are attachments. */
function restOf(issue: Fields, cuts: Cuts): Record<string, unknown> | undefined {
  const rest = Object.entries(issue).filter(([name]) => !keptElsewhere.has(name));
  const pairs = listOf(issue['requestresponse']).slice(0, most.exchanges).map(fieldsOf);
  const redirected = pairs.flatMap((pair) => textOf(textIn(pair['responseRedirected']), 20) || []);
  return bagOf({ ...Object.fromEntries(rest), responseRedirected: redirected }, 'the property', cuts);
}

const unplaced = 'The host of the issue is no URL: name its asset with the query parameter asset';

function readIssue(issue: Fields, { asset: named }: Reading, { rules }: Keeping): ReportEntry {
  const cuts = new Cuts();
  const type = textOf(textIn(issue['type']), 100);
  const name = cuts.firstText(longest.name, 'the name', textIn(issue['name']), type === '' ? '' : `Burp issue ${type}`);
  if (name === '') return { skipped: 'The issue has neither a name nor a type' };
  const host = webUrlOf(textOf(textIn(issue['host']), longest.url));
  const ip = textOf(fieldsOf(issue['host'])['@ip'], 100);
  const asset = named ?? (host ? frontendAt(host, ip === '' ? [] : [ip]) : null);
  if (!asset) return { skipped: unplaced, unplaced: true };
  const path = textOf(textIn(issue['path']), longest.url);
  const url = identifierOf(`${host?.origin ?? ''}${path}`, longest.url);
  const location = textOf(textIn(issue['location']), longest.context) || path;
  const background = plain(issue, fields.background, cuts);
  const detail = plain(issue, fields.detail, cuts);
  const remediation = plain(issue, fields.remediation, cuts);
  const fix = plain(issue, fields.own, cuts) || remediation;
  const classifications = plainText(textIn(issue['vulnerabilityClassifications']), 2 * maxText);
  const cwes = cwesIn(classifications);
  const references = linksIn(issue['references']);
  const links = [...references, ...linksIn(issue['vulnerabilityClassifications'])];
  const ruleDigest = rules.add(
    compact<FindingRule>({
      id: type || name,
      name,
      description: background,
      help: remediation,
      helpUri: links[0] ?? '',
      references: cuts.list(links, 100, 'references'),
      tags: classifications
        .split('\n')
        .filter((line) => line !== '')
        .slice(0, 100),
    }),
    cuts,
  );
  const properties = restOf(issue, cuts);
  const found = compact<FindingDetail>({
    message: detail,
    identifiers: identifiersIn([classifications], cwes),
    locations: url === '' ? [] : [compact({ url, name: location === path ? '' : location.slice(0, 500) })],
    fixes: fix === '' ? [] : [{ description: fix, changes: [] }],
    ...(properties ? { properties } : {}),
  });
  const finding = {
    asset,
    name,
    severity: severityOf(issue),
    category: categoryOfCwes(cwes),
    context: paragraphs([detail, background, fix, location], longest.context),
    securityTestUid: type || name,
    // All issues of extensions have one type.
    fingerprint: JSON.stringify([type, name, location]),
    ...(/^false positive$/i.test(textIn(issue['severity'])) ? { status: 'FALSE_POSITIVE' as const } : {}),
    targets: url === '' ? [] : [{ targetUid: identifierOf(url, longest.uid), webPage: { url, visits: 1 } }],
    detail: detailJson(found, cuts),
    ...(ruleDigest === null ? {} : { ruleDigest }),
    event: {
      title: `${name} at ${(location || asset.name).slice(0, 200)}`,
      description: paragraphs([detail, background], 10_000) || name,
      attachments: exchangesOf(issue, url || asset.name, cuts),
    },
  };
  return { finding, cut: cuts.reason };
}

function entryOf({ value, fault }: BurpIssue, reading: Reading, kept: Keeping): ReportEntry {
  if (fault !== null) return { skipped: `The issue ${fault}` };
  const isObject = typeof value === 'object' && value !== null;
  return isObject ? readIssue(fieldsOf(value), reading, kept) : { skipped: 'The element is not an issue' };
}

const noIssues =
  'The report has no issues, so that it does not say what was scanned. If this is a clean scan, send allowEmpty=true';

/** Reads the XML of Burp Suite's "Report issues" (https://portswigger.net/burp/documentation). `Invalid` for anything else. */
export async function readBurpXml(bytes: ReportBytes, reading: Reading): Promise<Report> {
  let issues = 0;
  for await (const parts of xmlParts(bytes(), new BurpXmlParser())) issues += parts.length;
  const kept = { remarks: new ReportRemarks(), rules: new ReportRules() };
  const silence = issues === 0 && !reading.allowEmpty ? noIssues : null;
  return {
    format: 'burp-xml',
    tools: [{ name: 'Burp Suite', category: '', about: reading.asset ? [reading.asset] : [], failures: [], silence }],
    ...kept,
    defaultKind: 'FRONTEND_DAST',
    bracketed: true,
    count: null,
    isUnplaced: false,
    unread: [],
    async *entries() {
      for await (const parts of xmlParts(bytes(), new BurpXmlParser())) {
        yield parts.map((part) => entryOf(part, reading, kept));
      }
    },
  };
}
