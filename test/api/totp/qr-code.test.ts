import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import jsqr from 'jsqr';
import sharp from 'sharp';
import type { LoginResponse } from '../../../src/store/auth/auth.dto.js';
import type { TOTPSetupResponse } from '../../../src/store/totp/totp.dto.js';
import { signUp } from '../../support/accounts.js';
import { codeOf } from '../../support/one-time-codes.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** What an authenticator app reads from the picture. */
async function scan(dataUrl: string): Promise<URL> {
  const png = Buffer.from(dataUrl.replace('data:image/png;base64,', ''), 'base64');
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return new URL(jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data ?? '');
}

describe('The QR code of GET /api/v1/totp/setup', () => {
  it('is all that an authenticator app needs, from setup to login', async () => {
    const { username, password, token } = await signUp(app);
    const setup = await app.api.get<TOTPSetupResponse>('/api/v1/totp/setup', { token });
    const uri = await scan(setup.body.qr_code);
    expect(decodeURIComponent(uri.pathname)).toContain(`Store Service:${username}`);
    const secret = uri.searchParams.get('secret') ?? '';
    expect(secret).toBe(setup.body.secret);

    const enabled = await app.api.post('/api/v1/totp/enable', { token, json: { token: codeOf(secret) } });
    expect(enabled.status).toBe(200);
    const login = await app.api.post<LoginResponse>('/api/v1/auth/login', { json: { username, password } });
    const json = { temp_token: login.body.temp_token, totp_code: codeOf(secret) };
    expect((await app.api.post('/api/v1/auth/login/totp', { json })).status).toBe(200);
  });
});
