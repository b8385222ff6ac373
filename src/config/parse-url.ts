/**
 * Parses a URL (WHATWG URL), or returns null if the text is not a URL. It does not use `URL.canParse`, which, once V8
 * has compiled its caller, refuses letters of Latin-1 on Node 20 and 22, as in `https://bücher.example/`.
 */
export function parseUrl(text: string, base?: URL | string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

function withoutSlashesAtTheEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}

/** The origin of an http(s) URL that has nothing else, a slash at its end aside; undefined for any other text. */
export function parseWebOrigin(value: string): string | undefined {
  const url = parseUrl(value);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined;
  const isBare = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  return isBare ? url.origin : undefined;
}

/** An http(s) URL without slashes at its end, or undefined for any other text. */
export function parseWebUrl(value: string): string | undefined {
  const protocol = parseUrl(value)?.protocol ?? '';
  return ['http:', 'https:'].includes(protocol) ? withoutSlashesAtTheEnd(value) : undefined;
}
