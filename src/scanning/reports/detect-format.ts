import { Invalid } from '../../platform/errors/invalid.js';
import { type JsonHit, JsonReader } from './json/index.js';
import { looksLike, startBytes, xmlRootOf } from './foreign-formats.js';
import { nucleiElements } from './nuclei-elements.js';
import type { ReportBytes, ReportFormat } from './report-finding.js';
import { fieldsOf } from './report-text.js';
import { zapXmlRoot } from './zap-xml-parts.js';

const templateIds = ['template-id', 'templateID', 'template_id', 'templateId'];
const paths = ['runs[].tool', 'site[].alerts', 'site.alerts', ...templateIds.flatMap((id) => [id, `[].${id}`])];
/** The lines in which to look for a finding: tools write log lines among them. */
const maxLines = 1_000;

const taken = 'SARIF 2.1.0, OWASP ZAP JSON or XML (traditional), and Nuclei JSONL';

function formatIn(hit: JsonHit): ReportFormat | null {
  if (hit.path === 'runs' && hit.kind === 'array') return 'sarif';
  if (hit.path === 'site' && hit.kind !== 'scalar') return 'zap-json';
  return templateIds.some((id) => hit.path.endsWith(id)) ? 'nuclei-jsonl' : null;
}

/** The format by the first key that identifies it, or why the report is not valid JSON. */
async function byKeys(bytes: ReportBytes): Promise<ReportFormat | Invalid | null> {
  try {
    for await (const hits of new JsonReader({ paths }).read(bytes())) {
      const format = hits.map(formatIn).find((one) => one !== null);
      if (format) return format;
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
  if (xmlRootOf(start.toString('utf8').replace(/^\ufeff/, '')) === zapXmlRoot) return 'zap-xml';
  const format = await byKeys(bytes);
  if (typeof format === 'string') return format;
  if (format instanceof Invalid && (await hasNucleiLine(bytes).catch(() => false))) return 'nuclei-jsonl';
  const like = looksLike(start);
  throw format instanceof Invalid && like === null ? format : unknown(like);
}
