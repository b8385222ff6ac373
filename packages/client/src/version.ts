/** The client's version, which is that of its package. */
export const clientVersion = '1.0.0';

function numbersOf(version: string): [major: number, minor: number] | null {
  const [, major, minor] = /^(\d{1,5})\.(\d{1,5})\./.exec(version) ?? [];
  return major && minor ? [Number(major), Number(minor)] : null;
}

/** A notice about a service of another major or minor version; null for the same one, or if it cannot be read. */
export function versionNotice(service: string): string | null {
  const [theirs, ours] = [numbersOf(service), numbersOf(clientVersion)];
  if (!theirs || !ours) return null;
  const difference = theirs[0] - ours[0] || theirs[1] - ours[1];
  if (difference === 0) return null;
  const [which, what] =
    difference < 0
      ? ['older', 'it may refuse, or not do, what it does not know yet']
      : ['newer', 'update the client to use all of it'];
  return `The service has version ${service}, this client ${clientVersion}: the service is ${which}, ${what}`;
}
