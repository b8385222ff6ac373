import { Invalid } from '../../platform/errors/invalid.js';
import { type JsonHit, JsonReader, pathInWords } from './json/index.js';
import { type Keeping, ReportRules } from './report-details.js';
import { longest, type Reading, type Report, type ReportBytes, type ReportEntry } from './report-finding.js';
import { ReportRemarks } from './report-remarks.js';
import { type Fields, firstText, textOf } from './report-text.js';
import { alertEntry, toolOf } from './zap-alerts.js';

// A report about one site may have it without a list.
const sites = ['site[]', 'site'];
const alertPaths = sites.map((site) => `${site}.alerts[]`);
const siteFields = ['@name', '@host', '@port', '@ssl'];
const alertKeys = ['pluginid', 'riskcode', 'riskdesc'];
const headerPaths = [
  '@programName',
  '@version',
  '@generated',
  ...sites.flatMap((site) => siteFields.map((field) => `${site}.${field}`)),
  ...alertPaths.flatMap((alert) => alertKeys.map((field) => `${alert}.${field}`)),
];

// Unspecified: how many sites of a report are read.
const maxSites = 50_000;

/** Everything in a report beside its alerts, which may precede or follow. */
class ZapHeader {
  readonly sites: Fields[] = [];
  private readonly top: Fields = {};
  private readonly keys = new Set<string>();
  private hasSite = false;
  private lists = 0;
  private elements = 0;
  private isOneSite = false;

  take(hit: JsonHit): void {
    if (hit.path === 'site') this.hasSite = true;
    if (hit.path === 'site' && hit.kind === 'object') this.isOneSite = true;
    if (hit.kind === 'object' && hit.path === 'site[]') this.elements++;
    if (hit.kind === 'array' && sites.some((site) => hit.path === `${site}.alerts`)) this.lists++;
    const field = String(hit.at.at(-1));
    if (hit.kind !== 'value') return;
    if (hit.at.length === 1) this.top[field] = hit.value;
    else if (hit.path.includes('alerts')) this.keys.add(field);
    else if (indexOfSite(hit.at) < maxSites) (this.sites[indexOfSite(hit.at)] ??= {})[field] = hit.value;
  }

  /** Whether it is about any site. */
  get hasSites(): boolean {
    return this.elements > 0 || this.isOneSite;
  }

  get tool(): { name: string; version: string } {
    const name = firstText(longest.name, this.top['@programName'], 'ZAP');
    return { name, version: textOf(this.top['@version'], 100) };
  }

  /** Throws `Invalid` for a document that only resembles a report: it must not pass as one without findings. */
  assertZap(): void {
    if (!this.hasSite) throw Invalid.at(['body', 'site'], 'missing', 'This is not a ZAP report: it has no site');
    const hasAlerts = this.keys.has('pluginid') && (this.keys.has('riskcode') || this.keys.has('riskdesc'));
    const isSigned = /zap|zed attack proxy/i.test(textOf(this.top['@programName'], 200));
    const isEmptyReport =
      this.keys.size === 0 && this.lists >= this.elements && '@version' in this.top && '@generated' in this.top;
    if (hasAlerts || isSigned || isEmptyReport) return;
    throw Invalid.at(['body', 'site'], 'value_error', 'This is not a ZAP report: its sites have no alerts of ZAP');
  }
}

function indexOfSite(at: readonly (string | number)[]): number {
  return typeof at[1] === 'number' ? at[1] : 0;
}

/** Places where values of a wrong type are counted as skipped. */
const siteList = new Set(['site', 'site[]']);
const alertLists = new Set(sites.map((site) => `${site}.alerts`));

/** The entry of a hit, or null if it is no finding. */
function entryOf(hit: JsonHit, header: ZapHeader, reading: Reading, kept: Keeping): ReportEntry | null {
  if (alertPaths.includes(hit.path)) {
    if (hit.kind !== 'value') return { skipped: 'The alert is not an object' };
    if (hit.fault !== null) return { skipped: `The alert ${hit.fault}` };
    if (indexOfSite(hit.at) >= maxSites) return { skipped: `The report has more than ${maxSites} sites` };
    return alertEntry(hit.value, header.sites[indexOfSite(hit.at)] ?? {}, reading, kept);
  }
  if (alertLists.has(hit.path) && hit.kind !== 'array') return { skipped: `${pathInWords(hit.at)} is not an array` };
  const isSite = hit.kind === 'object' || (hit.path === 'site' && hit.kind === 'array');
  return siteList.has(hit.path) && !isSite ? { skipped: `${pathInWords(hit.at)} is not an object` } : null;
}

/**
 * Reads a report of OWASP ZAP, "Traditional JSON", with or without requests and responses
 * (https://www.zaproxy.org/docs/desktop/addons/report-generation/report-traditional-json/). `Invalid` for anything
 * else.
 */
export async function readZapJson(bytes: ReportBytes, reading: Reading): Promise<Report> {
  const header = new ZapHeader();
  for await (const hits of new JsonReader({ paths: headerPaths }).read(bytes()))
    hits.forEach((hit) => header.take(hit));
  header.assertZap();
  const kept = { remarks: new ReportRemarks(), rules: new ReportRules() };
  return {
    format: 'zap-json',
    tools: [toolOf(header.tool, header, reading)],
    ...kept,
    defaultKind: 'FRONTEND_DAST',
    bracketed: false,
    count: null,
    isUnplaced: false,
    unread: [],
    async *entries() {
      for await (const hits of new JsonReader({ paths: alertPaths }).read(bytes())) {
        const entries = hits.map((hit) => entryOf(hit, header, reading, kept)).filter((entry) => entry !== null);
        if (entries.length > 0) yield entries;
      }
    },
  };
}
