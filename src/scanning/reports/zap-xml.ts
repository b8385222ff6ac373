import { type Keeping, ReportRules } from './report-details.js';
import { longest, type Reading, type Report, type ReportBytes, type ReportEntry } from './report-finding.js';
import { ReportRemarks } from './report-remarks.js';
import { type Fields, fieldsOf, firstText, listOf, textOf } from './report-text.js';
import { alertEntry, toolOf } from './zap-alerts.js';
import { siteFields, type ZapXmlPart, zapXmlParts } from './zap-xml-parts.js';

// Unspecified: how many sites of a report are read.
const maxSites = 50_000;

// Many times what is kept of a text; escaping makes it up to four times as long.
const maxText = 256 * 1024;

const texts = ['name', 'alert', 'desc', 'solution', 'otherinfo', 'reference'];

/**
 * Escapes a plain text as HTML. "Traditional XML" has HTML paragraphs; "plus" has plain texts, in which a tag is
 * literal.
 */
function asHtml(value: unknown): unknown {
  if (typeof value !== 'string' || /^\s*<p\b/i.test(value)) return value;
  return value.slice(0, maxText).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** An alert in the form that it has in JSON. */
function toAlert(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const alert = fieldsOf(value);
  const { instances } = alert;
  const html = Object.fromEntries(texts.filter((name) => name in alert).map((name) => [name, asHtml(alert[name])]));
  return { ...alert, ...html, instances: listOf(fieldsOf(instances)['instance']) };
}

function entryOf(part: ZapXmlPart, sites: Fields[], reading: Reading, kept: Keeping): ReportEntry[] {
  if (part.kind !== 'alert') return [];
  if (part.fault !== null) return [{ skipped: `The alert ${part.fault}` }];
  if (part.site >= maxSites) return [{ skipped: `The report has more than ${maxSites} sites` }];
  return [alertEntry(toAlert(part.value), sites[part.site] ?? {}, reading, kept)];
}

/**
 * Reads a report of OWASP ZAP, "Traditional XML", with or without requests and responses
 * (https://www.zaproxy.org/docs/desktop/addons/report-generation/report-traditional-xml/). `Invalid` for anything else.
 */
export async function readZapXml(bytes: ReportBytes, reading: Reading): Promise<Report> {
  const sites: Fields[] = [];
  let tool = { name: 'ZAP', version: '' };
  for await (const parts of zapXmlParts(bytes())) {
    for (const part of parts) {
      if (part.kind === 'report') {
        const { programName, version } = part.attributes;
        tool = { name: firstText(longest.name, programName, tool.name), version: textOf(version, 100) };
      }
      if (part.kind === 'site' && part.site < maxSites) sites.push(siteFields(part.attributes));
    }
  }
  const kept = { remarks: new ReportRemarks(), rules: new ReportRules() };
  return {
    format: 'zap-xml',
    tools: [toolOf(tool, { sites, hasSites: sites.length > 0 }, reading)],
    ...kept,
    defaultKind: 'FRONTEND_DAST',
    bracketed: false,
    count: null,
    isUnplaced: false,
    unread: [],
    async *entries() {
      for await (const parts of zapXmlParts(bytes())) {
        const entries = parts.flatMap((part) => entryOf(part, sites, reading, kept));
        if (entries.length > 0) yield entries;
      }
    },
  };
}
