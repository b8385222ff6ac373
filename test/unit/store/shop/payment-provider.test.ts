import { describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../../../src/config/settings.js';
import { paymentProviderOf } from '../../../../src/store/shop/payment-provider.js';

const key = { STRIPE_SECRET_KEY: 'sk_test_51ABCdefGHIjkl', STRIPE_WEBHOOK_SECRET: 'whsec_51ABCdefGHIjkl' };
const production = {
  NODE_ENV: 'production',
  ACCESS_POLICY: 'hardened',
  JWT_SECRET: 'x'.repeat(64),
  ENCRYPTION_KEY: '0'.repeat(64),
};

describe('The provider of payments', () => {
  it.each([
    [{ DEMO_DATA: 'false' }, 'manual'],
    [{}, 'demo'],
    [key, 'stripe'],
    [{ ...key, DEMO_DATA: 'false' }, 'stripe'],
    [production, 'manual'],
    [{ ...production, DEMO_DATA: 'true' }, 'manual'],
    [{ ...production, ...key }, 'stripe'],
  ])('with %j is %s', (environment, provider) => {
    expect(paymentProviderOf(loadSettings(environment))).toBe(provider);
  });

  it('is not said with a key that is none, which the start refuses without telling it', () => {
    const start = () => loadSettings({ ...key, STRIPE_SECRET_KEY: 'pk_live_51ABCdefGHIjkl' });
    expect(start).toThrow('STRIPE_SECRET_KEY cannot be used');
    expect(start).not.toThrow('51ABC');
  });
});
