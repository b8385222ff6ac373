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

/** OpenSSL's and Node's names for an invalid certificate or handshake. */
const TLS_FAILURE =
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_|INVALID_|PATH_LENGTH)/;

/** Turns any failure of an exchange with `host` into the error kinds of this folder. */
export function exchangeFailure(error: unknown, host: string): TargetRefused | TargetUnreachable {
  if (error instanceof TargetRefused || error instanceof TargetUnreachable) return error;
  const code = codeOf(error);
  if (NOT_CONNECTED.has(code)) {
    return new TargetUnreachable('connect', `${host} accepts no connection`, { cause: error });
  }
  if (TLS_FAILURE.test(code)) {
    return new TargetUnreachable('tls', `${host} offers no trustworthy TLS connection`, { cause: error });
  }
  return new TargetUnreachable('broken_answer', `${host} gave no complete HTTP answer`, { cause: error });
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
