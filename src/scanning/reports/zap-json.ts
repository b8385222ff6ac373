import { Invalid } from '../../common/errors/invalid.js';
import { PayloadTooLarge } from '../../common/errors/kinds.js';
import type { TargetCreate } from '../issues/issue-target.shapes.js';
import type { IssueSeverity } from '../vocabulary.js';
import { categoryOfCwes } from './cwe-category.js';
import { requestIn, responseIn } from './http-text.js';
import { jsonHits } from './json-hits.js';
import type { JsonHit } from './json-selector.js';
import { frontendAt, webUrlOf } from './report-assets.js';
import { longest, type Report, type ReportAttachment, type ReportBytes, type ReportEntry } from './report-finding.js';
import {
  type Fields,
  fieldsOf,
  firstText,
  identifierOf,
  listOf,
  numberOf,
  paragraphs,
  plainText,
  textOf,
} from './report-text.js';

// A report over one site may hold it without a list.
const sites = ['site[]', 'site'];
const alertPaths = sites.map((site) => `${site}.alerts[]`);
const siteFields = ['@name', '@host', '@port', '@ssl'];
const alertMarks = ['pluginid', 'riskcode', 'riskdesc'];
const headerPaths = [
  '@programName',
  '@version',
  '@generated',
  ...sites.flatMap((site) => siteFields.map((field) => `${site}.${field}`)),
  ...alertPaths.flatMap((alert) => alertMarks.map((field) => `${alert}.${field}`)),
];

// Not shown: how many sites a report may have.
const maxSites = 50_000;

/** What a report says beside its alerts, which may stand before it or behind. */
class ZapHeader {
  readonly sites: Fields[] = [];
  private readonly top: Fields = {};
  private readonly marks = new Set<string>();
  private hasSite = false;
  private lists = 0;
  private elements = 0;

  take(hit: JsonHit): void {
    if (hit.path === 'site') this.hasSite = true;
    if (hit.kind === 'object' && hit.path === 'site[]') this.elements++;
    if (hit.kind === 'array' && sites.some((site) => hit.path === `${site}.alerts`)) this.lists++;
    const field = String(hit.at.at(-1));
    if (hit.kind !== 'value') return;
    if (hit.at.length === 1) this.top[field] = hit.value;
    else if (hit.path.includes('alerts')) this.marks.add(field);
    else this.site(hit)[field] = hit.value;
  }

  get tool(): string {
    return firstText(longest.name, this.top['@programName'], 'ZAP');
  }

  /** What looks alike and is none must not be taken for a report that found nothing. */
  demandZap(): void {
    if (!this.hasSite) throw Invalid.at(['body', 'site'], 'missing', 'This is no ZAP report: it has no site');
    const hasAlerts = this.marks.has('pluginid') && (this.marks.has('riskcode') || this.marks.has('riskdesc'));
    const isSigned = /zap|zed attack proxy/i.test(textOf(this.top['@programName'], 200));
    const isEmptyReport =
      this.marks.size === 0 && this.lists >= this.elements && '@version' in this.top && '@generated' in this.top;
    if (hasAlerts || isSigned || isEmptyReport) return;
    throw Invalid.at(['body', 'site'], 'value_error', 'This is no ZAP report: its sites hold no alerts of ZAP');
  }

  private site({ at }: JsonHit): Fields {
    const index = indexOfSite(at);
    if (index >= maxSites) throw new PayloadTooLarge(`The report has more than ${maxSites} sites: split it`);
    return (this.sites[index] ??= {});
  }
}

function indexOfSite(at: readonly (string | number)[]): number {
  return typeof at[1] === 'number' ? at[1] : 0;
}

function urlOfSite(site: Fields): URL | null {
  const named = webUrlOf(textOf(site['@name'], longest.url));
  if (named) return named;
  const host = firstText(longest.url, site['@host'], site['@name']);
  const port = numberOf(site['@port']);
  const scheme = textOf(site['@ssl'], 10) === 'true' ? 'https' : 'http';
  return host === '' ? null : webUrlOf(`${scheme}://${host}${port === null || host.includes(':') ? '' : `:${port}`}`);
}

const severityOfRisk: IssueSeverity[] = ['INFO', 'LOW', 'MEDIUM', 'HIGH'];
const riskInWords: Record<string, number> = { informational: 0, info: 0, low: 1, medium: 2, high: 3 };

function severityOf(alert: Fields): IssueSeverity {
  const word = textOf(alert['riskdesc'], 100).split(' ')[0]?.toLowerCase() ?? '';
  const risk = numberOf(alert['riskcode']) ?? riskInWords[word] ?? 0;
  return severityOfRisk[risk] ?? 'INFO';
}

/** The pages that an alert names; older reports have one in the alert itself. */
function instancesOf(alert: Fields): Fields[] {
  const instances = listOf(alert['instances']).map(fieldsOf);
  return instances.length > 0 ? instances : [alert];
}

function addressOf(instance: Fields): string {
  return firstText(longest.url, instance['uri'], instance['url']);
}

/** A page is one target however many of its parameters are named. */
function targetsOf(instances: Fields[]): TargetCreate[] {
  const targets = new Map<string, TargetCreate>();
  for (const url of instances.map(addressOf).filter((address) => address !== '')) {
    const targetUid = identifierOf(url, longest.uid);
    const webPage = targets.get(targetUid)?.webPage ?? { url, visits: 0 };
    webPage.visits++;
    targets.set(targetUid, { targetUid, webPage });
  }
  return [...targets.values()];
}

// Not shown: how many of an alert's exchanges are kept.
const maxExchanges = 20;

function messageText(instance: Fields, kind: 'request' | 'response'): string {
  const part = (name: string): string => {
    const text = instance[`${kind}-${name}`] ?? instance[`${kind}${name}`];
    return typeof text === 'string' ? text : '';
  };
  const head = part('header').trimEnd();
  return head === '' ? '' : `${head}\r\n\r\n${part('body')}`;
}

function exchangeOf(instance: Fields): ReportAttachment[] {
  const request = requestIn(messageText(instance, 'request'), addressOf(instance));
  if (!request) return [];
  const response = responseIn(messageText(instance, 'response'));
  return [{ type: 'EXCHANGE', exchange: { request, ...(response ? { response } : {}) } }];
}

const maxDetails = 20;

function inWords(instance: Fields): string {
  const parts = [textOf(instance['method'], 30), addressOf(instance)];
  for (const field of ['param', 'attack', 'evidence']) {
    const text = textOf(instance[field], 500);
    if (text !== '') parts.push(`${field} ${text}`);
  }
  return parts.filter((part) => part !== '').join(' ');
}

function contextOf(alert: Fields, instances: Fields[]): string {
  const texts = ['desc', 'otherinfo', 'solution', 'reference'].map((field) => plainText(alert[field], 5_000));
  const cwe = numberOf(alert['cweid']) ?? 0;
  const parts = [...texts, cwe > 0 ? `CWE-${cwe}` : '', instances.slice(0, maxDetails).map(inWords).join('\n')];
  return paragraphs(parts, longest.context);
}

function readAlert(alert: Fields, site: Fields): ReportEntry {
  const name = plainText(firstText(longest.name, alert['name'], alert['alert']), longest.name);
  const plugin = identifierOf(textOf(alert['pluginid'], longest.context), longest.identifier);
  if (name === '' && plugin === '') return { skipped: 'The alert has neither a pluginid nor a name' };
  const url = urlOfSite(site) ?? webUrlOf(addressOf(fieldsOf(instancesOf(alert)[0])));
  if (!url) return { skipped: 'The site of the alert has no name that is a URL' };
  const instances = instancesOf(alert);
  const alertRef = textOf(alert['alertRef'], longest.identifier);
  const title = name || `ZAP alert ${plugin}`;
  const finding = {
    asset: frontendAt(url),
    name: title,
    severity: severityOf(alert),
    category: categoryOfCwes([numberOf(alert['cweid']) ?? 0]),
    context: contextOf(alert, instances),
    ...(alertRef === '' ? {} : { alertUid: alertRef }),
    ...(plugin === '' ? {} : { securityTestUid: plugin }),
    fingerprint: JSON.stringify([plugin, name]),
    targets: targetsOf(instances),
    event: {
      title: `${title} at ${url.origin}`,
      description: paragraphs(
        [plainText(alert['desc'], 5_000), instances.slice(0, maxDetails).map(inWords).join('\n')],
        10_000,
      ),
      attachments: instances.slice(0, 1_000).flatMap(exchangeOf).slice(0, maxExchanges),
    },
  };
  return { finding };
}

function entryOf(hit: JsonHit, header: ZapHeader): ReportEntry {
  if (hit.kind !== 'value') return { skipped: 'The alert is no object' };
  if (hit.tooLarge) return { skipped: 'The alert is too large' };
  return readAlert(fieldsOf(hit.value), header.sites[indexOfSite(hit.at)] ?? {});
}

/**
 * Reads a report of OWASP ZAP, "Traditional JSON", with or without requests and responses
 * (https://www.zaproxy.org/docs/desktop/addons/report-generation/report-traditional-json/). `Invalid` for what is none.
 */
export async function readZapJson(bytes: ReportBytes): Promise<Report> {
  const header = new ZapHeader();
  for await (const hits of jsonHits(bytes(), { paths: headerPaths })) hits.forEach((hit) => header.take(hit));
  header.demandZap();
  return {
    format: 'zap-json',
    tool: header.tool,
    defaultKind: 'FRONTEND_DAST',
    bracketed: false,
    async *entries() {
      for await (const hits of jsonHits(bytes(), { paths: alertPaths })) {
        const entries = hits.filter(({ path }) => alertPaths.includes(path)).map((hit) => entryOf(hit, header));
        if (entries.length > 0) yield entries;
      }
    },
  };
}
