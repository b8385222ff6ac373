import { Invalid } from '../../platform/errors/invalid.js';
import { burpXmlRoot } from './burp-xml.js';
import { type JsonHit, JsonReader } from './json/index.js';
import { looksLike, startBytes, xmlRootOf } from './foreign-formats.js';
import { nucleiElements } from './nuclei-elements.js';
import type { ReportBytes, ReportFormat } from './report-finding.js';
import { fieldsOf } from './report-text.js';
import { zapXmlRoot } from './zap-xml-parts.js';

const templateIds = ['template-id', 'templateID', 'template_id', 'templateId'];
const signs = ['bomFormat', 'SchemaVersion', 'ArtifactName', 'auditReportVersion', 'version', 'scan.type'];
const watched = ['advisories', 'metadata', 'vulnerabilities', 'vulnerabilities[].identifiers'];
const paths = [
  'runs[].tool',
  'site[].alerts',
  'site.alerts',
  ...templateIds.flatMap((id) => [id, `[].${id}`]),
  ...signs,
];
/** The lines in which to look for a finding: tools write log lines among them. */
const maxLines = 1_000;

const taken =
  'SARIF 2.1.0, OWASP ZAP JSON or XML (traditional), Nuclei JSONL, CycloneDX JSON, Trivy JSON, npm audit JSON, ' +
  'GitLab’s security reports, and Burp XML; mapped-json reads any other JSON (see docs/scans.md)';

/** Keys at the top that together identify a format. */
const identifying: [keys: string[], format: ReportFormat][] = [
  [['SchemaVersion', 'ArtifactName'], 'trivy-json'],
  [['auditReportVersion'], 'npm-audit'],
  [['advisories', 'metadata'], 'npm-audit'],
  [['version', 'vulnerabilities', 'scan.type'], 'gitlab'],
  // Before version 15, reports say the type in each finding.
  [['version', 'vulnerabilities', 'vulnerabilities[].identifiers'], 'gitlab'],
];

function formatIn(hit: JsonHit): ReportFormat | null {
  if (hit.path === 'runs' && hit.kind === 'array') return 'sarif';
  if (hit.path === 'site' && hit.kind !== 'scalar') return 'zap-json';
  if (hit.path === 'bomFormat') return hit.kind === 'value' && hit.value === 'CycloneDX' ? 'cyclonedx' : null;
  return templateIds.some((id) => hit.path.endsWith(id)) ? 'nuclei-jsonl' : null;
}

/** The format by the first keys that identify it, or why the report is not valid JSON. */
async function byKeys(bytes: ReportBytes): Promise<ReportFormat | Invalid | null> {
  const seen = new Set<string>();
  try {
    for await (const hits of new JsonReader({ paths, watched }).read(bytes())) {
      for (const hit of hits) {
        seen.add(hit.path);
        const together = identifying.find(([keys]) => keys.every((key) => seen.has(key)));
        const format = together?.[1] ?? formatIn(hit);
        if (format) return format;
      }
    }
    return null;
  } catch (error) {
    if (error instanceof Invalid) return error;
    throw error;
  }
}

async function hasNucleiLine(bytes: ReportBytes): Promise<boolean> {
  let lines = 0;
  for await (const elements of nucleiElements(bytes)) {
    for (const element of elements) {
      if ('value' in element && templateIds.some((id) => id in fieldsOf(element.value))) return true;
    }
    lines += elements.length;
    if (lines > maxLines) return false;
  }
  return false;
}

async function startOf(bytes: ReportBytes): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes()) {
    pieces.push(chunk);
    length += chunk.length;
    if (length >= startBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, startBytes);
}

function unknown(like: string | null): Invalid {
  const sentence = like === null ? 'The format of the report is not supported' : `The report looks like ${like}`;
  return Invalid.at(['body'], 'value_error', `${sentence}: the supported formats are ${taken}`);
}

/** Detects the format of a report by its content. `Invalid` for an unsupported format and for invalid JSON. */
export async function detectFormat(bytes: ReportBytes): Promise<ReportFormat> {
  const start = await startOf(bytes);
  const beginning = start.toString('utf8').replace(/^\ufeff/, '');
  const root = xmlRootOf(beginning);
  if (root === zapXmlRoot) return 'zap-xml';
  // Android Lint’s root has the same name.
  if (root === burpXmlRoot && beginning.includes('burpVersion')) return 'burp-xml';
  const format = await byKeys(bytes);
  if (typeof format === 'string') return format;
  if (format instanceof Invalid && (await hasNucleiLine(bytes).catch(() => false))) return 'nuclei-jsonl';
  const like = looksLike(start);
  throw format instanceof Invalid && like === null ? format : unknown(like);
}
