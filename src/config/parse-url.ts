/**
 * Parses a URL (WHATWG URL), or returns null where the text is none. Not by `URL.canParse`: once V8 has compiled its
 * caller, Node 20 and 22 answer false for a URL with letters of Latin-1, such as `https://bücher.example/`.
 */
export function parseUrl(text: string, base?: URL | string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
