import { Failure } from '../failure.js';

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

/** The failure of a request without a complete response. */
export function connectionFailure(error: unknown, address: string): Failure {
  const causes = causesOf(error);
  // A fault in the report that was being sent is not the network's.
  const own = causes.find((cause) => cause instanceof Failure);
  if (own) return own;
  if (causes.some(({ name }) => name === 'TimeoutError')) {
    return new Failure(`${address} took too long to answer`, undefined, true);
  }
  for (const [code, sentence] of sentences) {
    if (causes.some((cause) => code.test(codeOf(cause)))) return new Failure(sentence(address), undefined, true);
  }
  const reason = causes.at(-1)?.message ?? String(error);
  return new Failure(`Cannot reach ${address}: ${reason}. ${howToSet}`, undefined, true);
}
