import { parseUrl } from './parse-url.js';

function withoutSlashesAtTheEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}

/** An http(s) URL without slashes at its end, or undefined for any other text. */
export function parseWebUrl(value: string): string | undefined {
  const protocol = parseUrl(value)?.protocol ?? '';
  return ['http:', 'https:'].includes(protocol) ? withoutSlashesAtTheEnd(value) : undefined;
}
