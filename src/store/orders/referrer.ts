/** The origin (RFC 6454) of a Referer header; null where there is none, or it is no address of the web. */
export function originOf(referer: string | undefined): string | null {
  if (referer === undefined || !URL.canParse(referer)) return null;
  const { origin, protocol } = new URL(referer);
  return protocol === 'http:' || protocol === 'https:' ? origin : null;
}
