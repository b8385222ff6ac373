import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EnvironmentReader } from './environment-reader.js';
import { parseWebUrl } from './parse-url.js';

export const threatFeedKinds = ['EPSS', 'KEV'] as const;
export type ThreatFeedKind = (typeof threatFeedKinds)[number];

/** Where a list of exploited vulnerabilities is read from, every day. */
export interface ThreatFeed {
  kind: ThreatFeedKind;
  /** A complete path, or an http(s) URL. */
  address: string;
}

function addressOf(given: string): string | undefined {
  if (isAbsolute(given)) return given;
  if (!given.startsWith('file://')) return parseWebUrl(given);
  try {
    return fileURLToPath(given);
  } catch {
    return undefined;
  }
}

function parseFeeds(value: string): ThreatFeed[] | undefined {
  const feeds: ThreatFeed[] = [];
  // An address may contain a comma: the next feed begins with its name.
  for (const entry of value.split(/,\s*(?=(?:epss|kev)=)/i)) {
    const equals = entry.indexOf('=');
    const kind = threatFeedKinds.find((one) => one === entry.slice(0, equals).trim().toUpperCase());
    const address = addressOf(entry.slice(equals + 1).trim());
    if (!kind || address === undefined || feeds.some((one) => one.kind === kind)) return undefined;
    feeds.push({ kind, address });
  }
  return feeds;
}

/** Reads THREAT_FEEDS. */
export function readThreatFeedSettings(read: EnvironmentReader): ThreatFeed[] {
  const takes =
    'epss=ADDRESS and kev=ADDRESS, each once, separated by a comma; an ADDRESS is a complete path or an http(s) URL';
  return read.parsed('THREAT_FEEDS', takes, [], parseFeeds);
}
