import type { Cuts } from './cuts.js';
import type { ExchangeMessage } from './report-finding.js';
import { reachOf, shortened } from './report-text.js';
import { parseUrl } from '../../config/parse-url.js';

// Unspecified: how much of a request or response is kept.
const maxHead = 512 * 1024;
const maxBody = 64 * 1024;
const maxHeaders = 200;
const maxHeader = 8_192;

/** Parses a request or response as sent: its first line, headers and body. */
function parsed(text: string, cuts: Cuts): { line: string; message: ExchangeMessage } {
  const end = /\r?\n\r?\n/.exec(text);
  const head = cuts.shortened(text.slice(0, end?.index ?? text.length), maxHead, 'the head of a request or response');
  const body = end ? text.slice(end.index + end[0].length) : '';
  const [line = '', ...given] = head.split(/\r?\n/);
  const fields = given.filter((field) => field.indexOf(':') > 0);
  const headers: Record<string, string> = {};
  for (const field of cuts.list(fields, maxHeaders, 'headers')) {
    const colon = field.indexOf(':');
    const name = kept(field.slice(0, colon).trim(), 256);
    const value = kept(field.slice(colon + 1).trim(), maxHeader);
    if (name !== '__proto__') headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  const content = cuts.shortened(
    body.slice(0, reachOf(maxBody)).replaceAll('\0', '').toWellFormed(),
    maxBody,
    'the body of a request or response',
  );
  return { line: line.trim(), message: { headers, ...(content === '' ? {} : { body: content }) } };
}

function kept(text: string, maxLength: number): string {
  return shortened(text.slice(0, reachOf(maxLength)).replaceAll('\0', '').toWellFormed(), maxLength);
}

/** Parses a request (RFC 9112), or returns null if the text holds none. Its target is relative to `base`. */
export function requestIn(
  text: string,
  base: string,
  cuts: Cuts,
): (ExchangeMessage & { method: string; url: string }) | null {
  if (!/^\s*[A-Z][A-Z-]{1,30} \S/.test(text.slice(0, maxHeader))) return null;
  const { line, message } = parsed(text.trimStart(), cuts);
  const [, method, target] = /^([A-Z][A-Z-]{1,30}) (\S+)(?: HTTP\/[\d.]+)?$/.exec(line) ?? [];
  if (method === undefined || target === undefined) return null;
  const isWhole = /^[a-z][a-z\d+.-]*:\/\//i.test(target);
  const url = isWhole ? target : (parseUrl(target, base)?.href ?? target);
  return { method, url: kept(url, 4_096), ...message };
}

/** Parses a response (RFC 9112), or returns null if the text holds none. */
export function responseIn(text: string, cuts: Cuts): (ExchangeMessage & { status: number }) | null {
  if (!text.startsWith('HTTP/')) return null;
  const { line, message } = parsed(text, cuts);
  const status = Number(/^HTTP\/[\d.]+ ([1-9]\d\d)(?: |$)/.exec(line)?.[1]);
  return Number.isNaN(status) ? null : { status, ...message };
}
