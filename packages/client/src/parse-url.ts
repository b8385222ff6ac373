/**
 * Parses a URL (WHATWG URL), or returns null if the text is none. It avoids `URL.canParse`: once V8 has compiled its
 * caller, that refuses Latin-1 letters on Node 20 and 22, as in `https://bücher.example/`.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
