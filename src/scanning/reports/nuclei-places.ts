import { isIP } from 'node:net';
import type { AssetDraft } from '../assets/asset-draft.js';
import { cloudResource, codeProject, frontendAt, hostAt, isCloudResource, webUrlOf } from './report-assets.js';
import { type Fields, firstText, numberOf, textOf } from './report-text.js';

/** The fields that name the place of a finding, the most exact first. */
const placeFields = ['url', 'matched-at', 'matched', 'host', 'ip'] as const;

const maxPlace = 16_384;
const hostName = /^[\p{L}\p{N}_](?:[\p{L}\p{N}._-]{0,251}[\p{L}\p{N}_])?\.?$/u;

/** Parses a host and port such as `example.com:443` or `[::1]:8080`; null for anything else. */
export function hostAndPort(text: string): { address: string; port: number | null } | null {
  const bare = text.replace(/^[a-z][a-z\d+.-]{0,30}:\/\//i, '').split(/[/?#]/, 1)[0] ?? '';
  if (isIP(bare) === 6) return { address: bare.toLowerCase(), port: null };
  const [, v6, name = v6 ?? '', port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(bare) ?? [];
  const address = name.toLowerCase();
  if (v6 === undefined ? !hostName.test(address) : isIP(v6) !== 6) return null;
  return { address, port: port === undefined ? null : numberOf(port) };
}

function isPort(port: number | null): port is number {
  return port !== null && Number.isInteger(port) && port > 0 && port <= 65_535;
}

function ipsOf(line: Fields): string[] {
  const ip = textOf(line['ip'], 100).toLowerCase();
  return isIP(ip) > 0 ? [ip] : [];
}

/** The asset of one place, or null if it cannot be parsed. */
function assetAt(place: string, line: Fields): AssetDraft | null {
  if (isCloudResource(place)) return cloudResource(place);
  const url = webUrlOf(place);
  if (url) return frontendAt(url, ipsOf(line));
  const host = hostAndPort(place);
  if (!host) return null;
  return hostAt(host.address, ipsOf(line), [host.port ?? numberOf(line['port'])].filter(isPort));
}

/**
 * Unspecified: the asset of a finding in a file. It is the file itself, since a path names no repository; a relative
 * path names no asset at all.
 */
function fileAsset(line: Fields): AssetDraft | null {
  const given = firstText(maxPlace, line['matched-at'], line['matched'], line['host'], line['path']);
  const path = given.replaceAll('\\', '/').replace(/^file:\/\//i, '');
  return /^(?:\/|[a-z]:\/)[^/]/i.test(path) ? codeProject(path) : null;
}

/** The asset of a line: that of its first place that can be parsed. */
export function assetOf(line: Fields): AssetDraft | null {
  if (textOf(line['type'], 50).toLowerCase() === 'file') return fileAsset(line);
  for (const field of placeFields) {
    const place = textOf(line[field], maxPlace);
    const asset = place === '' ? null : assetAt(place, line);
    if (asset) return asset;
  }
  return null;
}
