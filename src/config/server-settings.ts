import type { EnvironmentReader } from './environment-reader.js';
import { parseUrl, parseWebOrigin } from './parse-url.js';
import { isIP } from 'node:net';

/** Never `true`: callers could then write any address into a header, and evade every limit. */
function parseTrustProxy(value: string): false | number | string | undefined {
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

/** Pages that are developed on this machine, at any port. */
const localOrigins = ['http://localhost:*', 'http://127.0.0.1:*'];

/** An origin as browsers write it; its port may be `*`. */
function isOrigin(text: string): boolean {
  const one = text.replace(/:\*$/, '');
  return !one.includes('*') && parseUrl(one)?.origin === one;
}

function parseOrigins(value: string): string[] | undefined {
  if (value === 'none') return [];
  const origins = value.split(',').map((origin) => origin.trim().toLowerCase().replace(/\/$/, ''));
  return origins.every((origin) => origin === '*' || isOrigin(origin)) ? origins : undefined;
}

/** Reads the settings of listening: addresses, origins, proxies, and bounds on connections and bodies. */
export function readServerSettings(read: EnvironmentReader, production: boolean) {
  return {
    port: read.integer('PORT', 3000, 0, 65_535),
    portGiven: read.text('PORT') !== undefined,
    host: read.text('HOST') ?? '127.0.0.1',
    drainSeconds: read.integer('DRAIN_SECONDS', 0, 0, 300),
    maxConnections: read.integer('MAX_CONNECTIONS', 2_000, 10, 100_000),
    requestTimeoutSeconds: read.integer('REQUEST_TIMEOUT_SECONDS', 120, 1, 86_400),
    unreadSeconds: read.integer('UNREAD_SECONDS', 30, 1, 3_600),
    answerMemoryMegabytes: read.integer('ANSWER_MEMORY_MB', 128, 1, 65_536),
    bodyMemoryMegabytes: read.integer('BODY_MEMORY_MB', 64, 1, 65_536),
    publicUrl: read.parsed<string | undefined>(
      'PUBLIC_URL',
      'an http(s) URL without a path, such as https://shop.example.com: the service is served at the root of a host',
      undefined,
      parseWebOrigin,
    ),
    trustProxy: read.parsed<false | number | string>(
      'TRUST_PROXY',
      'false, the number of proxies in front, or a comma-separated list of their addresses and ranges',
      false,
      parseTrustProxy,
    ),
    metricsToken: read.secret('METRICS_TOKEN', '16 to 512 of A-Z a-z 0-9 . _ ~ + / - =', (value) =>
      /^[\w.~+/=-]{16,512}$/.test(value),
    ),
    corsOrigins: read.parsed(
      'CORS_ORIGINS',
      'a comma-separated list of origins, such as https://shop.example or http://localhost:*, or *, or none',
      production ? [] : localOrigins,
      parseOrigins,
    ),
  };
}
