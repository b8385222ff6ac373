import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasNoAddress, type ResolveHost } from './host-approval.js';
import { HostsFile } from './hosts-file.js';

const queryTimeoutMs = 1_000;
const tries = 3;
/** The time limit for all queries of one name together. */
const deadlineMs = 4_000;
/** How long the addresses of one family wait for those of the other (RFC 8305, section 3, waits likewise). */
const otherFamilyMs = 300;

/** The meaning of a `localhost` name everywhere (RFC 6761, section 6.3). */
const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Resolves the names that outbound requests go to: by the machine's hosts file, else by its name servers or those
 * given. The queries are c-ares's own, over sockets of the event loop: the system's resolver would hold one of the few
 * threads of the process for as long as a name server does not answer.
 */
export class NameResolver {
  constructor(
    private readonly servers: readonly string[] = [],
    private readonly hostsFile = new HostsFile(),
  ) {}

  /** The addresses of `host`, IPv4 first; rejects with a code of `node:dns` if there are none, or none in time. */
  readonly resolve: ResolveHost = async (host) => {
    const name = host.toLowerCase().replace(/\.$/, '');
    if (name === 'localhost' || name.endsWith('.localhost')) return loopback;
    const own = this.hostsFile.addressesOf(name);
    return own.length > 0 ? own : this.query(name);
  };

  private async query(name: string): Promise<LookupAddress[]> {
    // One for each name, so that it can be cancelled alone.
    const resolver = new Resolver({ timeout: queryTimeoutMs, tries });
    if (this.servers.length > 0) resolver.setServers(this.servers);
    const timer = setTimeout(() => resolver.cancel(), deadlineMs);
    try {
      return await eitherFamily([addressesOf(resolver, name, 4), addressesOf(resolver, name, 6)]);
    } finally {
      clearTimeout(timer);
      resolver.cancel();
    }
  }
}

async function addressesOf(resolver: Resolver, name: string, family: 4 | 6): Promise<LookupAddress[]> {
  const addresses = await (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name));
  return addresses.map((address) => ({ address, family }));
}

/** The addresses of both families where they come together; of one family where the other fails or lags behind. */
async function eitherFamily(families: Promise<LookupAddress[]>[]): Promise<LookupAddress[]> {
  const both = Promise.allSettled(families);
  try {
    const first = await Promise.any(families);
    const settled = await Promise.race([both, sleep(otherFamilyMs, [], { ref: false })]);
    const all = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    return all.length > 0 ? all : first;
  } catch (error) {
    throw error instanceof AggregateError ? tellingFailure(error.errors) : error;
  }
}

/** The more telling of both families' failures: no answer from a server, rather than no such name. */
function tellingFailure(failures: unknown[]): unknown {
  return failures.find((failure) => !hasNoAddress(failure)) ?? failures[0];
}
