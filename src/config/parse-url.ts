/**
 * Parses a URL (WHATWG URL), or returns null where the text is none. Not by `URL.canParse`: once V8 has compiled its
 * caller, that refuses letters of Latin-1 on Node 20 and 22, as in `https://bücher.example/`.
 */
export function parseUrl(text: string, base?: URL | string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
