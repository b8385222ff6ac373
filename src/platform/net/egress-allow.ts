import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '../../config/parse-url.js';

interface Network {
  address: ipaddr.IPv4 | ipaddr.IPv6;
  prefix: number;
}

/** Private targets that outbound requests may reach: host names in lower case, and networks. */
export interface EgressAllow {
  readonly hosts: ReadonlySet<string>;
  readonly networks: readonly Network[];
}

/** Reads a list of host names, addresses and CIDRs, parted by commas or blanks; throws an Error that names a bad entry. */
export function parseEgressAllow(text: string): EgressAllow {
  const hosts = new Set<string>();
  const networks: Network[] = [];
  for (const entry of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const network = toNetwork(entry);
    if (network) networks.push(network);
    else hosts.add(toHost(entry));
  }
  return { hosts, networks };
}

/** Whether requests may reach every address of `host`, because it is listed by name. */
export function allowsHost(allow: EgressAllow, host: string): boolean {
  return allow.hosts.has(host.toLowerCase().replace(/\.$/, ''));
}

/** Whether `address` lies in one of the listed networks. */
export function allowsAddress(allow: EgressAllow, address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  return allow.networks.some(
    (network) => network.address.kind() === parsed.kind() && parsed.match(network.address, network.prefix),
  );
}

function toNetwork(entry: string): Network | null {
  const [address = '', prefix, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 && prefix === undefined) return null;
  const longest = family === 4 ? 32 : 128;
  const bits = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Infinity;
  if (family === 0 || address.includes('%') || rest.length > 0 || bits > longest) throw badEntry(entry);
  return { address: ipaddr.parse(address), prefix: bits };
}

// A name that a URL would normalize to an address (0x7f.1) or to another name would never match: better an error now.
function toHost(entry: string): string {
  const name = entry.toLowerCase().replace(/\.$/, '');
  const label = '[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?';
  if (!new RegExp(`^${label}(\\.${label})*$`).test(name)) throw badEntry(entry);
  if (parseUrl(`http://${name}/`)?.hostname !== name) throw badEntry(entry);
  return name;
}

function badEntry(entry: string): Error {
  return new Error(
    `"${entry}" is not a host name, an address or a CIDR: write it like hooks.internal, 10.1.2.3 or 10.0.0.0/8, ` +
      `without scheme, port or wildcard`,
  );
}
