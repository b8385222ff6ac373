import { HttpAdapterHost } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../../../src/config/settings.js';
import { MailLinks } from '../../../../src/platform/mail/mail-links.js';
import { assertReturnUrl } from '../../../../src/store/payments/return-url.js';
import '../../../support/built-service.js';

const own = { PUBLIC_URL: 'https://service.example' };
const away = { STOREFRONT_URL: 'https://shop.example' };
const pages = { ACCOUNT_PAGES_URL: 'https://pages.example/mine' };
const none = { STOREFRONT: 'false' };
const linksOf = (env: Record<string, string>) => new MailLinks(loadSettings({ ...own, ...env }), new HttpAdapterHost());

describe('Links in mails', () => {
  it.each([
    ['the shop front of the service', {}, 'https://service.example/reset?token=1', 'https://service.example/orders/7'],
    ['a shop front elsewhere', away, 'https://shop.example/reset?token=1', 'https://shop.example/orders/7'],
    [
      'a shop front elsewhere, though the service serves none',
      { ...away, ...none },
      'https://shop.example/reset?token=1',
      'https://shop.example/orders/7',
    ],
    [
      "the shop's own pages, and orders to the shop front",
      { ...away, ...pages },
      'https://pages.example/mine/reset?token=1',
      'https://shop.example/orders/7',
    ],
    ["the service's own pages without a shop front", none, 'https://service.example/account/reset?token=1', null],
  ])('lead to %s', (_name, env, reset, order) => {
    const links = linksOf(env);
    expect(links.accountPage('reset', { token: '1' })).toBe(reset);
    expect(links.order(7)).toBe(order);
    expect(links.to('/console/')).toBe('https://service.example/console/');
  });

  it('have a shop front elsewhere to which payments lead back', () => {
    const assert = (url: string, env: Record<string, string>) =>
      assertReturnUrl(url, `${own.PUBLIC_URL}/`, loadSettings({ ...own, ...env, CORS_ORIGINS: 'none' }));
    expect(() => assert('https://shop.example/orders/7', away)).not.toThrow();
    expect(() => assert('https://shop.example/orders/7', {})).toThrow('Input should be');
    expect(() => assert('https://shop.example.evil.example/', away)).toThrow('Input should be');
  });
});
