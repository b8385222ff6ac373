import type { AssetDraft } from '../assets/asset-draft.js';
import type { TargetCreate } from '../issues/issue-target.dto.js';
import type { IssueSeverity } from '../vocabulary.js';
import { categoryOfCwes } from './cwe-category.js';
import { Cuts } from './cuts.js';
import { requestIn, responseIn } from './http-text.js';
import { frontendAt, webUrlOf } from './report-assets.js';
import { detailJson, type Keeping } from './report-details.js';
import {
  longest,
  most,
  type Reading,
  type ReportAttachment,
  type ReportEntry,
  type ReportFinding,
  type ReportTool,
} from './report-finding.js';
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
import { detailOf, keptOfAlert, ruleOf } from './zap-details.js';

/** The web address of a site: its name, else host, port and scheme; null if there is none. */
export function urlOfSite(site: Fields): URL | null {
  const named = webUrlOf(textOf(site['@name'], longest.url));
  if (named) return named;
  const host = firstText(longest.url, site['@host'], site['@name']);
  const port = numberOf(site['@port']);
  const scheme = textOf(site['@ssl'], 10) === 'true' ? 'https' : 'http';
  return host === '' ? null : webUrlOf(`${scheme}://${host}${port === null || host.includes(':') ? '' : `:${port}`}`);
}

const severityOfRisk: IssueSeverity[] = ['INFO', 'LOW', 'MEDIUM', 'HIGH'];
const riskInWords: Record<string, number> = { informational: 0, info: 0, low: 1, medium: 2, high: 3 };

function riskOf(alert: Fields): number {
  const word = textOf(alert['riskdesc'], 100).split(' ')[0]?.toLowerCase() ?? '';
  return numberOf(alert['riskcode']) ?? riskInWords[word] ?? 0;
}

function severityOf(alert: Fields): IssueSeverity {
  return severityOfRisk[riskOf(alert)] ?? 'INFO';
}

/** Whether a user of ZAP marked it: with confidence 0 or, in older versions, risk -1. */
function isFalsePositive(alert: Fields): boolean {
  return numberOf(alert['confidence']) === 0 || riskOf(alert) === -1;
}

/** The pages of an alert; older reports have one in the alert itself. */
function instancesOf(alert: Fields): Fields[] {
  const instances = listOf(alert['instances']).map(fieldsOf);
  return instances.length > 0 ? instances : [alert];
}

function addressOf(instance: Fields, cuts?: Cuts): string {
  const [uri, url] = [instance['uri'], instance['url']];
  return (cuts ?? new Cuts()).firstIdentifier(longest.url, 'an address', uri, url);
}

/** Each page is one target, regardless of its parameters. */
function targetsOf(instances: Fields[], cuts: Cuts): TargetCreate[] {
  const targets = new Map<string, TargetCreate>();
  for (const url of instances.map((instance) => addressOf(instance, cuts)).filter((address) => address !== '')) {
    const targetUid = identifierOf(url, longest.uid);
    const webPage = targets.get(targetUid)?.webPage ?? { url, visits: 0 };
    webPage.visits++;
    targets.set(targetUid, { targetUid, webPage });
  }
  return cuts.list([...targets.values()], most.targets, 'pages');
}

function messageText(instance: Fields, kind: 'request' | 'response'): string {
  const part = (name: string): string => {
    const text = instance[`${kind}-${name}`] ?? instance[`${kind}${name}`];
    return typeof text === 'string' ? text : '';
  };
  const head = part('header').trimEnd();
  return head === '' ? '' : `${head}\r\n\r\n${part('body')}`;
}

/** Whether an instance comes with its request. */
function hasExchange(instance: Fields): boolean {
  return messageText(instance, 'request') !== '';
}

function exchangeOf(instance: Fields, cuts: Cuts): ReportAttachment[] {
  const request = requestIn(messageText(instance, 'request'), addressOf(instance), cuts);
  if (!request) return [];
  const response = responseIn(messageText(instance, 'response'), cuts);
  return [{ type: 'EXCHANGE', exchange: { request, ...(response ? { response } : {}) } }];
}

function inWords(instance: Fields, cuts: Cuts): string {
  const parts = [textOf(instance['method'], 30), addressOf(instance)];
  for (const field of ['param', 'attack', 'evidence', 'otherinfo']) {
    const text = cuts.text(instance[field], 500, `the ${field} of an instance`);
    if (text !== '') parts.push(`${field} ${text}`);
  }
  return parts.filter((part) => part !== '').join(' ');
}

function plain(alert: Fields, field: string, maxLength: number, cuts: Cuts): string {
  return cuts.shortened(plainText(alert[field], 4 * maxLength), maxLength, `the ${field}`);
}

function contextOf(alert: Fields, description: string, places: string, cuts: Cuts): string {
  const texts = ['otherinfo', 'solution', 'reference'].map((field) => plain(alert, field, 5_000, cuts));
  const cwe = numberOf(alert['cweid']) ?? 0;
  const parts = [description, ...texts, cwe > 0 ? `CWE-${cwe}` : '', places];
  return cuts.shortened(parts.filter((part) => part !== '').join('\n\n'), longest.context, 'the context');
}

const unplaced = 'The site of the alert has no URL as its name: name its asset with the query parameter asset';

function urlOf(site: Fields, alert: Fields): URL | null {
  return urlOfSite(site) ?? webUrlOf(addressOf(fieldsOf(instancesOf(alert)[0])));
}

/**
 * Which of a plugin's alerts it is. ZAP numbers those that can have several (`10038-1`), so that names may change and be
 * translated; without such a number the name tells them apart, as it does in reports of before 2.11.
 */
function identityParts(
  plugin: string,
  alertRef: string,
  name: string,
): Pick<ReportFinding, 'fingerprint' | 'formerly'> {
  const byName = JSON.stringify([plugin, name]);
  if (plugin === '' || !alertRef.startsWith(`${plugin}-`)) return { fingerprint: byName };
  const formerly = [{ securityTestUid: plugin, fingerprint: byName }];
  return { fingerprint: JSON.stringify([plugin, { alertRef }]), formerly };
}

/** Reads an alert of a site, from either format. */
export function readAlert(alert: Fields, site: Fields, { asset: named }: Reading, kept: Keeping): ReportEntry {
  const cuts = new Cuts();
  const given = cuts.firstText(4 * longest.name, 'the name', alert['name'], alert['alert']);
  const name = cuts.shortened(plainText(given, 4 * longest.name), longest.name, 'the name');
  const plugin = identifierOf(textOf(alert['pluginid'], longest.context), longest.identifier);
  if (name === '' && plugin === '') return { skipped: 'The alert has neither a pluginid nor a name' };
  const url = urlOf(site, alert);
  const asset: AssetDraft | null = named ?? (url ? frontendAt(url) : null);
  if (!asset) return { skipped: unplaced, unplaced: true };
  const instances = instancesOf(alert);
  const alertRef = textOf(alert['alertRef'], longest.identifier);
  const title = name || `ZAP alert ${plugin}`;
  const description = plain(alert, 'desc', 5_000, cuts);
  const described = cuts.list(instances, most.described, 'instances in words');
  const pages = described.map((instance) => ({ url: addressOf(instance, cuts), message: inWords(instance, cuts) }));
  const places = pages.map(({ message }) => message).join('\n');
  const exchanged = cuts.list(instances.filter(hasExchange), most.exchanges, 'requests and responses');
  kept.remarks.compare({ instances: alert['instances'] }, keptOfAlert, 'alerts[]');
  const ruleDigest = kept.rules.add(ruleOf(alert, plugin || title, cuts), cuts);
  const finding = {
    asset,
    name: title,
    severity: severityOf(alert),
    category: categoryOfCwes([numberOf(alert['cweid']) ?? 0]),
    context: contextOf(alert, description, places, cuts),
    ...(alertRef === '' ? {} : { alertUid: alertRef }),
    ...(plugin === '' ? {} : { securityTestUid: plugin }),
    ...identityParts(plugin, alertRef, name),
    ...(isFalsePositive(alert) ? { status: 'FALSE_POSITIVE' as const } : {}),
    targets: targetsOf(instances, cuts),
    detail: detailJson(detailOf(alert, pages, cuts), cuts),
    ...(ruleDigest === null ? {} : { ruleDigest }),
    event: {
      title: `${title} at ${url?.origin ?? asset.name}`,
      description: paragraphs([description, places], 10_000),
      attachments: exchanged.flatMap((instance) => exchangeOf(instance, cuts)),
    },
  };
  return { finding, cut: cuts.reason };
}

/** Reads an element of a list of alerts, whatever it is. */
export function alertEntry(value: unknown, site: Fields, reading: Reading, kept: Keeping): ReportEntry {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? readAlert(fieldsOf(value), site, reading, kept) : { skipped: 'The alert is not an object' };
}

/** The asset of a report without findings: its site, if it names just one. */
export function siteOf(sites: Fields[]): AssetDraft[] {
  const urls = sites.flatMap((site) => urlOfSite(site) ?? []);
  return urls.length === 1 ? urls.map((url) => frontendAt(url)) : [];
}

const noSite = 'The report names no site: nothing was scanned';

/** ZAP as the tool of a report. */
export function toolOf(
  { name, version }: { name: string; version: string },
  { sites, hasSites }: { sites: Fields[]; hasSites: boolean },
  { asset, allowEmpty }: Reading,
): ReportTool {
  const about = asset ? [asset] : siteOf(sites);
  return { name, version, category: '', about, failures: [], silence: !hasSites && !allowEmpty ? noSite : null };
}
