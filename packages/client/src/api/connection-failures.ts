import { Failure } from '../failure.js';
import { answerOfProxy, type Proxy, proxyInWords } from './proxy.js';

const howToSet = 'Set STORE_API_URL where the service is elsewhere';

function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const inner = error instanceof AggregateError ? error.errors.flatMap(causesOf) : [];
  return [error, ...inner, ...causesOf(error.cause)];
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const sentences: [code: RegExp, sentence: (address: string) => string][] = [
  [/^ECONNREFUSED$/, (address) => `Nothing answers at ${address}: is the service running? ${howToSet}`],
  [/^(ENOTFOUND|EAI_AGAIN)$/, (address) => `The host of ${address} cannot be found: check STORE_API_URL`],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, (address) => `There is no way to ${address}. ${howToSet}`],
  [/TIMEOUT|^ETIMEDOUT$/, (address) => `${address} does not answer. ${howToSet}`],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, (address) => `The connection to ${address} was cut off`],
];

const untrusted =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER_CERT(_LOCALLY)?|VERIFY_LEAF_SIGNATURE)|CERT_UNTRUSTED)$/;

/** Why a certificate is not taken, and what to do; null for another fault. */
export function certificateFault(error: unknown, address: string): string | null {
  const codes = causesOf(error).map(codeOf);
  if (codes.some((code) => untrusted.test(code))) {
    const how = 'Set NODE_EXTRA_CA_CERTS to a file with the certificate of the authority that signed it (PEM)';
    return `The certificate of ${address} is signed by nobody whom this machine trusts. ${how}`;
  }
  if (codes.includes('CERT_HAS_EXPIRED')) return `The certificate of ${address} has expired: have it renewed`;
  if (codes.includes('CERT_NOT_YET_VALID'))
    return `The certificate of ${address} is not valid yet: check the clock here`;
  if (codes.includes('ERR_TLS_CERT_ALTNAME_INVALID')) {
    return `The certificate of ${address} is that of another host: check the address`;
  }
  return null;
}

/** The failure of a request that did not get past a proxy; null if the proxy is not at fault. */
async function proxyFailure(causes: readonly Error[], address: string, proxy: Proxy): Promise<Failure | null> {
  const named = proxyInWords(proxy);
  if (causes.some((cause) => /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(codeOf(cause)))) {
    const sentence = `The proxy ${named} cannot be reached: correct the variable, or except the service in NO_PROXY`;
    return new Failure(sentence, undefined, true);
  }
  // What tells that a tunnel was refused is lost on the way through fetch.
  const status = causes.some(({ message }) => /\(407\)/.test(message)) ? 407 : await answerOfProxy(proxy, address);
  if (status === null || status === 200) return null;
  if (status === 407) {
    const how = `Write them into ${proxy.from}, as in http://user:password@${proxy.url.host}`;
    return new Failure(`The proxy ${named} asks for a name and password, or takes others. ${how}`);
  }
  return new Failure(`The proxy ${named} does not let this through (status ${status}): ask who runs it`);
}

/** The failure of a request without a complete response. */
export async function connectionFailure(error: unknown, address: string, proxy: Proxy | null = null): Promise<Failure> {
  const causes = causesOf(error);
  // A fault in the report that was being sent is not the network's.
  const own = causes.find((cause) => cause instanceof Failure);
  if (own) return own;
  if (causes.some(({ name }) => name === 'TimeoutError')) {
    return new Failure(`${address} took too long to answer`, undefined, true);
  }
  const refused = proxy && (await proxyFailure(causes, address, proxy));
  if (refused) return refused;
  const certificate = certificateFault(error, address);
  if (certificate !== null) return new Failure(certificate);
  for (const [code, sentence] of sentences) {
    if (causes.some((cause) => code.test(codeOf(cause)))) return new Failure(sentence(address), undefined, true);
  }
  const reason = causes.at(-1)?.message ?? String(error);
  return new Failure(`Cannot reach ${address}: ${reason}. ${howToSet}`, undefined, true);
}
