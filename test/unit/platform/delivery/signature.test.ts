import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { signatureHeaders } from '../../../../src/platform/delivery/signature.js';

describe('signatureHeaders', () => {
  it('makes the signature of the example in the tests of the Standard Webhooks libraries', async () => {
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      time: new Date(1_614_265_330_999),
      keys: [Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')],
    };
    const body = Readable.from([Buffer.from('{"test":'), Buffer.from(' 2432232314}')]);
    expect(await signatureHeaders(message, body as AsyncIterable<Buffer>)).toEqual([
      ['webhook-id', 'msg_p5jXN8AQM9LWM0D4loKWxJek'],
      ['webhook-timestamp', '1614265330'],
      ['webhook-signature', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
    ]);
  });
});
