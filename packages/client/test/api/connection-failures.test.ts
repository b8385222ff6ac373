import { describe, expect, it } from '@jest/globals';
import { certificateFault, connectionFailure } from '../../src/api/connection-failures.js';

const failed = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

describe('certificateFault', () => {
  it.each(['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'])(
    'names NODE_EXTRA_CA_CERTS for %s',
    async (code) => {
      const { message } = await connectionFailure(failed(code), 'https://store.example');
      expect(message).toContain('Set NODE_EXTRA_CA_CERTS to a file with the certificate of the authority');
    },
  );

  it.each([
    ['CERT_HAS_EXPIRED', 'has expired'],
    ['CERT_NOT_YET_VALID', 'check the clock'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'is that of another host'],
    ['ECONNREFUSED', null],
  ])('says of %s: %s', (code, sentence) => {
    const fault = certificateFault(failed(code), 'https://store.example');
    expect(fault).toEqual(sentence === null ? null : expect.stringContaining(sentence));
  });
});
