import { beforeEach, describe, expect, it } from '@jest/globals';
import { broken, order, placedMail, Story, userId } from '../story.js';

const dayMs = 86_400_000;
const lines = [{ product: 5, pieces: 125 }];

let story: Story;
let placed: Record<string, unknown>;
let n: number;
beforeEach(() => {
  story = new Story();
  const token = story.signIn('ada');
  placed = order(1, lines);
  n = story.ask('POST', '/orders', { token }, 201, placed);
});

describe('mails', () => {
  it('come once, to whom they belong', async () => {
    story.mail('p', 'Ada@example.com', 'Your order 1', 'Dear ada:\n125 ×\nThing 5\nTotal: $1,250.00');
    expect(await story.judged()).toEqual([]);
  });

  it('finds an order that nobody was told of', async () => {
    const violations = await story.judged();
    expect(broken(violations)).toEqual([['mails/arrives', n]]);
    expect(violations[0]!.message).toBe(
      'Order 1 should have brought a mail with its lines and its total of 1250.00, and brought none',
    );
  });

  it('takes no mail for right where the order ended before, even if nobody saw it but at the end', async () => {
    placedMail(story, placed);
    const second = order(2, lines);
    story.ask('POST', '/orders', { token: 'token-ada', key: 'second' }, 'lost');
    story.ask('POST', '/orders', { token: 'token-ada', key: 'second' }, 201, second);
    story.atEnd('/admin/orders', [placed, { ...second, status: 'cancelled' }]);
    expect((await story.judged()).filter(({ rule }) => rule.startsWith('mails/'))).toEqual([]);
  });

  it('finds a mail that went out twice, unless something broke in between', async () => {
    placedMail(story, placed);
    const again = placedMail(story, placed);
    expect(broken(await story.judged())).toEqual([['mails/once', again]]);
    story.fault('the mail server broke off');
    placedMail(story, placed);
    expect(broken(await story.judged())).toEqual([['mails/once', again]]);
  });

  it('finds a second mail of the same order', async () => {
    placedMail(story, placed);
    const second = story.mail('other', 'ada@example.com', 'Your order 1', 'Thank you! 125 × Thing 5, Total: $1250.00');
    expect(broken(await story.judged())).toEqual([['mails/once', second]]);
  });

  it('takes the mails of two payments that failed for two', async () => {
    placedMail(story, placed);
    const fail = (id: string) => story.mail(id, 'ada@example.com', 'The payment of your order 1 failed', 'Pay again');
    story.ask('POST', '/orders/1/payment', {}, 200, {});
    fail('first');
    story.ask('POST', '/orders/1/payment', {}, 200, {});
    fail('second');
    expect(await story.judged()).toEqual([]);
    const again = fail('third');
    expect(broken(await story.judged())).toEqual([['mails/once', again]]);
  });

  it('takes a price that is as high as the total for no total', async () => {
    placedMail(story, placed);
    story.ask('GET', '/admin/orders', {}, 200, [{ ...placed, status: 'shipped' }]);
    story.mail('shipped', 'ada@example.com', 'Your order 1 was shipped', '125 × Thing 5: $1,250.00 for all');
    expect(await story.judged()).toEqual([]);
  });

  it('finds one to somebody else', async () => {
    placedMail(story, placed);
    const other = story.mail('other', 'eve@example.com', 'Your order 1 is paid', 'Thank you');
    expect(broken(await story.judged())).toEqual([['mails/to-whom', other]]);
  });

  it('takes no number in another mail for that of an order', async () => {
    placedMail(story, placed);
    story.mail('other', 'eve@example.com', '3 new issues: 1 high, 2 low', 'They are in the console');
    expect(await story.judged()).toEqual([]);
  });

  it('finds a shipment that nobody was told of', async () => {
    placedMail(story, placed);
    const shipped = story.ask('GET', '/admin/orders', {}, 200, [{ ...placed, status: 'shipped' }]);
    expect(broken(await story.judged())).toEqual([['mails/arrives', shipped]]);
    story.mail('s', 'ada@example.com', 'Your order 1 was shipped', '125 × Thing 5');
    expect(await story.judged()).toEqual([]);
  });

  it('finds a newcomer without a welcome, and one with two', async () => {
    placedMail(story, placed);
    const eve = story.ask('POST', '/auth/register', { body: { email: 'eve@example.com' } }, 201, { id: 'eve' });
    expect(broken(await story.judged())).toEqual([['mails/arrives', eve]]);
    story.mail('w1', 'eve@example.com', 'Welcome', 'https://shop.example/account/confirm?token=1');
    expect(await story.judged()).toEqual([]);
    const second = story.mail('w2', 'eve@example.com', 'Welcome', 'https://shop.example/account/confirm?token=2');
    expect(broken(await story.judged())).toEqual([['mails/once', second]]);
  });

  it('waits for no welcome whose link ended when hardly anything had happened meanwhile', async () => {
    placedMail(story, placed);
    const eve = story.ask('POST', '/auth/register', { body: { email: 'eve@example.com' } }, 201, { id: 'eve' });
    story.later(5 * dayMs).fault('a call of kind mail failed before it took effect');
    story.later(3 * dayMs).ask('GET', '/health', {}, 200);
    expect(broken(await story.judged())).toEqual([['mails/arrives', eve]]);
    story.fault('a call of kind mail failed after it took effect');
    expect(await story.judged()).toEqual([]);
  });

  it('waits for the welcome where there were days enough to send it', async () => {
    placedMail(story, placed);
    const eve = story.ask('POST', '/auth/register', { body: { email: 'eve@example.com' } }, 201, { id: 'eve' });
    for (let day = 0; day < 8; day += 2) story.later(2 * dayMs).fault('a call of kind mail failed');
    expect(broken(await story.judged())).toEqual([['mails/arrives', eve]]);
  });

  it('finds an issue that no digest told', async () => {
    placedMail(story, placed);
    const told = { integrationKind: 'EMAIL', digest: 'hourly', parameters: { memberIds: [userId('ada')] } };
    story.ask('POST', '/workflows', { body: { trigger: { type: 'NEW_ISSUE' }, actions: [told] } }, 201, { id: 'w' });
    story.atEnd('/issues/i', { id: 'i', name: 'Weak hash', branches: [] });
    const path = '/scans/import?branch=main&defaultBranch=main';
    const counts = { findings: 1, created: 1, seen: 0, skippedCount: 0, resolved: 0 };
    const found = story.ask('POST', path, { token: 'key' }, 200, { ...counts, createdIds: ['i'] });
    story.later(6 * dayMs).ask('GET', '/health', {}, 200);
    expect(broken(await story.judged())).toEqual([['mails/digest', found]]);
    story.mail('d', 'ada@example.com', '1 new issue', '1 new issue: 1 high\nWeak hash');
    expect(await story.judged()).toEqual([]);
  });
});
