import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebhookPost } from '../../../../src/platform/delivery/webhook-post.js';
import { outboundHttp } from '../../../support/outbound-http.js';
import { type Receiver, startReceiver } from '../../../support/receiver.js';

const text = '{"issues":[]}';
const body = { length: text.length, open: () => Readable.from([Buffer.from(text)]) };

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** Posts to a name that resolves to the next of these addresses each time. */
function post(addresses: string[][], allow: string, source = body, signal = new AbortController().signal) {
  const resolve = async () => (addresses.shift() ?? []).map((address) => ({ address, family: 4 }));
  const outbound = outboundHttp(allow, resolve);
  const { port } = new URL(receiver.url);
  const parameters = { url: `http://hooks.example.com:${port}/`, headers: [], secret: null };
  return {
    outbound,
    url: parameters.url,
    sent: () => new WebhookPost(outbound).send('id', parameters, source, signal),
  };
}

describe('WebhookPost', () => {
  it('refuses a name that led to a public address when saved and leads to a private one on connecting', async () => {
    receiver.received.length = 0;
    const { outbound, url, sent } = post([['192.0.32.10'], ['127.0.0.1']], '');
    await outbound.checkTarget(url);
    expect(await sent()).toMatchObject({
      delivered: false,
      statusCode: null,
      error: expect.stringContaining('private'),
    });
    expect(receiver.received).toEqual([]);
  });

  it('posts the body with its length', async () => {
    expect(await post([['127.0.0.1']], '127.0.0.1').sent()).toMatchObject({ delivered: true, statusCode: 200 });
    const sent = receiver.received.at(-1);
    expect(sent?.bytes.toString()).toBe(text);
    expect(sent?.headers['content-length']).toBe(String(text.length));
    expect(sent?.headers['transfer-encoding']).toBeUndefined();
  });

  it('throws if the body itself fails, which is not the receiver’s fault', async () => {
    const broken = {
      length: 10,
      open: () =>
        Readable.from(
          (async function* () {
            yield Buffer.from('{');
            await Promise.resolve();
            throw new Error('The chunk is damaged');
          })(),
        ),
    };
    await expect(post([['127.0.0.1']], '127.0.0.1', broken).sent()).rejects.toThrow('The chunk is damaged');
  });

  it('throws if it is aborted', async () => {
    receiver.answer = () => undefined;
    const abort = new AbortController();
    const sent = post([['127.0.0.1']], '127.0.0.1', body, abort.signal).sent();
    setTimeout(() => abort.abort(new Error('The service is stopping')), 50);
    await expect(sent).rejects.toThrow('The service is stopping');
  });
});
