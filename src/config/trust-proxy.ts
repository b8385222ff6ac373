import { isIP } from 'node:net';

/** Never `true`: callers could then write any address into a header, and evade every limit. */
export function parseTrustProxy(value: string): false | number | string | undefined {
  if (value === 'false') return false;
  if (/^\d{1,2}$/.test(value)) return Number(value) || false;
  const hops = value.split(',').map((hop) => hop.trim());
  return hops.every(isProxy) ? hops.join(', ') : undefined;
}

/** Whether Express accepts it as a proxy: an address, a range of addresses, or one of its own names for ranges. */
function isProxy(hop: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(hop)) return true;
  const [address = '', prefix, ...rest] = hop.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= (version === 4 ? 32 : 128))
  );
}
