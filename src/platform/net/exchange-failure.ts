import { TargetRefused, TargetUnreachable } from './target-errors.js';

const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'EACCES',
  'EPERM',
]);

/** What is wrong with a certificate, by OpenSSL's and Node's codes. */
const CERTIFICATE_FAULTS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate is revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate was issued by an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate of the issuer is missing',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'the issuer of its certificate is unknown, or an intermediate certificate is missing',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'an intermediate certificate is missing',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** What is wrong with a handshake, by OpenSSL's words for it, all of which have the code EPROTO. */
const HANDSHAKE_FAULTS: [RegExp, string][] = [
  [/wrong version number|packet length too long|http request/, 'it does not speak TLS at this port'],
  [
    /protocol version|unsupported protocol/,
    'it supports only versions of TLS that are no longer safe: 1.2 or newer is required',
  ],
];

/** All codes of an invalid certificate or handshake. */
const TLS_FAILURE =
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_|INVALID_|PATH_LENGTH)/;

/** Turns any failure of an exchange with `host` into the error kinds of this folder. */
export function exchangeFailure(error: unknown, host: string): TargetRefused | TargetUnreachable {
  if (error instanceof TargetRefused || error instanceof TargetUnreachable) return error;
  const code = codeOf(error);
  if (NOT_CONNECTED.has(code)) {
    return new TargetUnreachable('connect', `${host} does not accept connections`, { cause: error });
  }
  if (TLS_FAILURE.test(code)) {
    const sentence = `${host} does not offer a trusted TLS connection: ${tlsFault(code, error)}`;
    return new TargetUnreachable('tls', sentence, { cause: error });
  }
  return new TargetUnreachable('broken_answer', `${host} did not send a complete HTTP response`, { cause: error });
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

function tlsFault(code: string, error: unknown): string {
  const words = error instanceof Error ? error.message : '';
  const handshake = HANDSHAKE_FAULTS.find(([pattern]) => pattern.test(words))?.[1];
  return CERTIFICATE_FAULTS[code] ?? handshake ?? `the handshake failed (${code})`;
}
