import { Invalid } from '../../platform/errors/invalid.js';
import { JsonReader } from '../reports/json/index.js';
import { cveId } from './epss-feed.js';
import { FeedFault } from './feed-fault.js';

/** An entry of the catalog of known exploited vulnerabilities (https://www.cisa.gov/known-exploited-vulnerabilities-catalog). */
export interface KevRow {
  cve: string;
  /** Days, such as 2026-11-27; null if it gives none. */
  addedOn: string | null;
  dueOn: string | null;
  ransomware: boolean;
}

/** Some rows, or what the catalog says of itself. */
export type KevPart = { publishedAt: Date } | { rows: KevRow[] };

function dayOf(value: unknown): string | null {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : null;
}

function rowOf(value: unknown, at: number): KevRow {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const cve = typeof fields['cveID'] === 'string' ? fields['cveID'].trim().toUpperCase() : '';
  if (!cveId.test(cve)) throw new FeedFault(`entry ${at} has no cveID`);
  return {
    cve,
    addedOn: dayOf(fields['dateAdded']),
    dueOn: dayOf(fields['dueDate']),
    ransomware: fields['knownRansomwareCampaignUse'] === 'Known',
  };
}

/** Reads the JSON while it arrives. `FeedFault` for anything else. */
export async function* kevParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<KevPart> {
  const reader = new JsonReader({ paths: ['dateReleased', 'vulnerabilities[]'] });
  let at = 0;
  try {
    for await (const hits of reader.read(bytes)) {
      const rows: KevRow[] = [];
      for (const hit of hits) {
        if (hit.kind !== 'value') {
          if (hit.path === 'vulnerabilities' && hit.kind !== 'array') throw new FeedFault('vulnerabilities is no list');
          continue;
        }
        if (hit.path !== 'dateReleased') rows.push(rowOf(hit.value, ++at));
        else if (typeof hit.value === 'string' && !Number.isNaN(Date.parse(hit.value))) {
          yield { publishedAt: new Date(hit.value) };
        }
      }
      if (rows.length > 0) yield { rows };
    }
  } catch (error) {
    if (error instanceof Invalid) throw new FeedFault(error.message);
    throw error;
  }
}
