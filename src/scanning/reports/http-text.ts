import type { ExchangeMessage } from './report-finding.js';
import { shortened } from './report-text.js';

// Not shown: how much of a request or response is kept.
const maxBody = 64 * 1024;
const maxHeaders = 200;
const maxHeader = 8_192;

/** A request or response as it went over the wire: its first line, headers and body. */
function parsed(text: string): { line: string; message: ExchangeMessage } {
  const end = /\r?\n\r?\n/.exec(text);
  const head = text.slice(0, end?.index ?? text.length);
  const body = end ? text.slice(end.index + end[0].length) : '';
  const [line = '', ...fields] = head.split(/\r?\n/);
  const headers: Record<string, string> = {};
  for (const field of fields.slice(0, maxHeaders)) {
    const colon = field.indexOf(':');
    if (colon <= 0) continue;
    const name = kept(field.slice(0, colon).trim(), 256);
    const value = kept(field.slice(colon + 1).trim(), maxHeader);
    if (name !== '__proto__') headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return { line: line.trim(), message: { headers, ...(body === '' ? {} : { body: kept(body, maxBody) }) } };
}

function kept(text: string, maxLength: number): string {
  return shortened(text.replaceAll('\0', '').toWellFormed(), maxLength);
}

/** The request in a text as RFC 9112 has them, or null where it holds none. `base` is what its target is relative to. */
export function requestIn(text: string, base: string): (ExchangeMessage & { method: string; url: string }) | null {
  const { line, message } = parsed(text);
  const [, method, target] = /^([A-Z][A-Z-]{1,30}) (\S+)(?: HTTP\/[\d.]+)?$/.exec(line) ?? [];
  if (method === undefined || target === undefined) return null;
  const url =
    /^[a-z][a-z\d+.-]*:\/\//i.test(target) || !URL.canParse(target, base) ? target : new URL(target, base).href;
  return { method, url: kept(url, 4_096), ...message };
}

/** The response in a text as RFC 9112 has them, or null where it holds none. */
export function responseIn(text: string): (ExchangeMessage & { status: number }) | null {
  const { line, message } = parsed(text);
  const status = Number(/^HTTP\/[\d.]+ ([1-9]\d\d)(?: |$)/.exec(line)?.[1]);
  return Number.isNaN(status) ? null : { status, ...message };
}
