import { beforeEach, describe, expect, it } from '@jest/globals';
import { signatureOf } from '../../../simulation/model/deliveries.js';
import { broken, Story } from '../story.js';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const admin = { client: 'admin', token: 'admin' };

let story: Story;
let event: { id: string; type: string; created_at: string; data: object };
let made: number;
beforeEach(() => {
  story = new Story();
  const webhook = { id: 'w', url: 'https://receivers.example/erp', events: ['stock.out'], secret, enabled: true };
  made = story.ask('POST', '/admin/webhooks', { ...admin, body: { url: webhook.url } }, 201, webhook);
  story.later(1000);
  event = { id: 'e1', type: 'stock.out', created_at: story.now, data: { product: { id: 5 } } };
});

function deliver({ status = 200, sent = event, by = secret, signedAt = story.now } = {}): number {
  const body = JSON.stringify(sent);
  const id = sent.id;
  const timestamp = String(Math.floor(Date.parse(signedAt) / 1000));
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatureOf(by, id, timestamp, body),
  };
  return story.deliver('erp', headers, body, status);
}

async function judged(events: object[] = [event]) {
  story.atEnd('/admin/events', { data: events, next: 'last', more: false });
  return broken(await story.judged());
}

describe('signatureOf', () => {
  it('signs as Standard Webhooks say', () => {
    // The example of the specification's reference libraries.
    const signed = signatureOf(
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      '1614265330',
      '{"test": 2432232314}',
    );
    expect(signed).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});

describe('deliveries', () => {
  it('arrive, in the end', async () => {
    deliver({ status: 500 });
    story.later(5000);
    deliver();
    expect(await judged()).toEqual([]);
  });

  it('need not arrive where the receiver failed for five days, and finds a webhook that was disabled earlier', async () => {
    story.atEnd('/admin/webhooks', [{ id: 'w', enabled: false, disabled_reason: 'Every attempt failed' }]);
    deliver({ status: 500 });
    story.later(3 * 86_400_000);
    const n = deliver({ status: 500 });
    expect(await judged()).toEqual([['deliveries/disabled', n]]);
    story.later(2 * 86_400_000);
    deliver({ status: 500 });
    expect(await judged()).toEqual([]);
  });

  it('counts, for how long a receiver has failed, an attempt of which nothing was sent', async () => {
    story.atEnd('/admin/webhooks', [{ id: 'w', enabled: false, disabled_reason: 'Every attempt failed' }]);
    deliver({ status: 500 });
    story.later(3 * 86_400_000);
    deliver({ status: 500 });
    story.later(2 * 86_400_000);
    story.fault('a call of kind webhook (e1 to erp) failed before it took effect');
    expect(await judged()).toEqual([]);
  });

  it('lets a webhook be disabled though another attempt is taken beside the last one', async () => {
    story.atEnd('/admin/webhooks', [{ id: 'w', enabled: false, disabled_reason: 'Every attempt failed' }]);
    deliver({ status: 500 });
    story.later(5 * 86_400_000);
    deliver({ status: 500 });
    deliver({ sent: { ...event, id: 'e2' } });
    expect(await judged([event, { ...event, id: 'e2' }])).toEqual([]);
    story.later(86_400_000);
    deliver({ sent: { ...event, id: 'e2' } });
    const last = deliver({ status: 500 });
    expect(await judged([event, { ...event, id: 'e2' }])).toContainEqual(['deliveries/disabled', last]);
  });

  it('finds one that is missing', async () => {
    expect(await judged()).toEqual([['deliveries/arrives', made]]);
    const n = deliver({ status: 500 });
    expect(await judged()).toEqual([['deliveries/arrives', n]]);
  });

  it('waits for none that a receiver refused to the end', async () => {
    for (let attempt = 0; attempt < 8; attempt++) deliver({ status: 500 });
    expect(await judged()).toEqual([]);
  });

  it('counts an attempt that reached nobody', async () => {
    for (let attempt = 0; attempt < 7; attempt++) deliver({ status: 500 });
    story.fault('a call of kind webhook (e1 to erp) failed before it took effect');
    expect(await judged()).toEqual([]);
  });

  it('finds one of what was rolled back', async () => {
    deliver();
    const n = deliver({ sent: { ...event, id: 'e2' } });
    expect(await judged()).toEqual([['deliveries/rolled-back', n]]);
  });

  it('finds a wrong signature, and an old one', async () => {
    const wrong = deliver({ by: `whsec_${Buffer.alloc(32, 8).toString('base64')}` });
    const old = deliver({ signedAt: '2026-03-02T07:00:00.000Z' });
    expect(await judged()).toEqual(
      [
        ['deliveries/signature', wrong],
        ['deliveries/timestamp', old],
        // Both were taken.
        ['deliveries/once', old],
      ].toSorted((a, b) => Number(a[1]) - Number(b[1])),
    );
  });

  it('finds other bytes in a retry', async () => {
    deliver({ status: 500 });
    const n = deliver({ sent: { ...event, data: {} } });
    expect(await judged()).toEqual([['deliveries/same-bytes', n]]);
  });

  it('finds one that comes again, unless something broke or somebody asked', async () => {
    deliver();
    const n = deliver();
    expect(await judged()).toEqual([['deliveries/once', n]]);
    story.ask('POST', '/admin/webhooks/w/deliveries/d/replay', admin, 202);
    deliver();
    expect(await judged()).toEqual([['deliveries/once', n]]);
    story.fault('node 1 was killed');
    deliver();
    expect(await judged()).toEqual([['deliveries/once', n]]);
  });
});
