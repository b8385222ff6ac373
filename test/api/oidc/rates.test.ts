import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OidcScene, startOidcScene } from './oidc-scene.js';

let scene: OidcScene;
beforeAll(async () => {
  scene = await startOidcScene({ env: { QUOTAS: 'provider-sign-ins=3', TRUST_PROXY: 'loopback' } });
});
afterAll(() => scene.close());

describe('Sign-ins with the provider that are begun', () => {
  it('are counted by address, whether by a browser or a device', async () => {
    const begin = (address: string, path = 'start') =>
      scene.app.api.post<{ code?: string }>(`/api/v1/auth/oidc/${path}`, {
        json: {},
        headers: { 'x-forwarded-for': address },
      });
    for (const path of ['start', 'device', 'start']) expect((await begin('203.0.113.7', path)).status).toBe(200);
    const { status, body, headers } = await begin('203.0.113.7');
    expect([status, body.code]).toEqual([429, 'rate_exceeded']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await begin('203.0.113.8')).status).toBe(200);
  });
});
