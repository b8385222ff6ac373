import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { allowsHost, type EgressAllow } from './egress-allow.js';
import { isReachable, refusedHost } from './target.js';
import { TargetUnreachable } from './target-errors.js';

/** Turns a host name into its addresses, and rejects if there are none. */
export type ResolveHost = (host: string) => Promise<LookupAddress[]>;

/** What outbound requests may reach, and how names resolve. */
export class Egress {
  constructor(
    readonly allow: EgressAllow,
    readonly resolve: ResolveHost,
  ) {}
}

/**
 * Resolves `host` and returns its addresses; throws `TargetRefused` when any one of them is private or reserved, for
 * a name with a public and a private address serves nothing but rebinding, and `TargetUnreachable` when it has none.
 */
export async function approvedAddresses(host: string, { allow, resolve }: Egress): Promise<LookupAddress[]> {
  const addresses = await resolve(host).catch((cause: unknown) => {
    throw new TargetUnreachable('dns', unresolved(host, cause), { cause });
  });
  if (addresses.length === 0)
    throw new TargetUnreachable('dns', `${host} has no IP address: check the spelling of the host`);
  const permitted = allowsHost(allow, host) || addresses.every(({ address }) => isReachable(address, allow));
  if (!permitted) throw refusedHost(host);
  return addresses;
}

function unresolved(host: string, cause: unknown): string {
  return hasNoAddress(cause)
    ? `${host} cannot be resolved: check the spelling of the host`
    : `${host} cannot be resolved at the moment: its name servers do not give a usable answer`;
}

/** Whether a name server has answered that there is no such name, or no address of it. */
export function hasNoAddress(failure: unknown): boolean {
  const code = typeof failure === 'object' && failure !== null && 'code' in failure ? failure.code : undefined;
  return code === 'ENOTFOUND' || code === 'ENODATA';
}

/**
 * The `lookup` hook of Node's sockets: a connection goes only to addresses that this very lookup approved, so a name
 * that changes its address between check and connect gains nothing. Sockets do not call it for IP literals.
 */
export function approvingLookup(egress: Egress): LookupFunction {
  const approve = callbackify((host: string) => approvedAddresses(host, egress));
  return (host, options, callback) =>
    approve(host, (error, addresses) => {
      if (error) return callback(error, []);
      const first = addresses[0];
      if (options.all || !first) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
}
