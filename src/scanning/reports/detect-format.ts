import { Invalid } from '../../common/errors/invalid.js';
import { jsonHits } from './json-hits.js';
import type { JsonHit } from './json-selector.js';
import { nucleiElements } from './nuclei-elements.js';
import type { ReportBytes, ReportFormat } from './report-finding.js';
import { fieldsOf } from './report-text.js';

const templateIds = ['template-id', 'templateID', 'template_id', 'templateId'];
const paths = ['runs[].tool', 'site[].alerts', 'site.alerts', ...templateIds.flatMap((id) => [id, `[].${id}`])];
/** How many lines are looked through where the first is no finding: tools log among what they find. */
const maxLines = 1_000;

function formatIn(hit: JsonHit): ReportFormat | null {
  if (hit.path === 'runs' && hit.kind === 'array') return 'sarif';
  if (hit.path === 'site') return 'zap-json';
  return templateIds.some((id) => hit.path.endsWith(id)) ? 'nuclei-jsonl' : null;
}

/** The format by the first key that tells it, or why the report is no JSON. */
async function byKeys(bytes: ReportBytes): Promise<ReportFormat | Invalid | null> {
  try {
    for await (const hits of jsonHits(bytes(), { paths })) {
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

/** The format of a report by what is in it. `Invalid` where it is none that is taken, or no JSON. */
export async function detectFormat(bytes: ReportBytes): Promise<ReportFormat> {
  const format = await byKeys(bytes);
  if (typeof format === 'string') return format;
  if (format instanceof Invalid) {
    const found = await hasNucleiLine(bytes).catch(() => false);
    if (found) return 'nuclei-jsonl';
    throw format;
  }
  throw Invalid.at(
    ['body'],
    'value_error',
    'The report is of no format that is taken: SARIF 2.1.0, OWASP ZAP JSON (traditional) or Nuclei JSONL',
  );
}
