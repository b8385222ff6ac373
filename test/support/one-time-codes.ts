import { createHmac } from 'node:crypto';
import type { TestApp } from './test-app.js';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function bytesOf(base32: string): Buffer {
  const bits = Array.from(base32, (digit) => alphabet.indexOf(digit).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of RFC 6238 (SHA-1, 6 digits, 30 s) for the current time step or one near it, computed independently of the service. */
export function codeOf(secret: string, stepsAway = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + stepsAway));
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** A code of six digits that is wrong now and for some time to come. */
export function wrongCodeOf(secret: string): string {
  const right = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps)));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.has(code)) ?? '';
}

export interface TwoFactor {
  secret: string;
  recoveryCodes: string[];
}

/** Sets up and enables two-factor login. */
export async function enableTwoFactor(app: Pick<TestApp, 'api'>, token: string): Promise<TwoFactor> {
  const setup = await app.api.get<{ secret: string }>('/api/v1/totp/setup', { token });
  const { secret } = setup.body;
  const json = { token: codeOf(secret) };
  const enabled = await app.api.post<{ recovery_codes: string[] }>('/api/v1/totp/enable', { token, json });
  if (enabled.status !== 200) throw new Error(`Enabling answered ${JSON.stringify(enabled.body)}`);
  return { secret, recoveryCodes: enabled.body.recovery_codes };
}
