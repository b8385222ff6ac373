import { createHmac } from 'node:crypto';

/**
 * The headers that sign a body (Standard Webhooks 1.0.0, https://www.standardwebhooks.com): the HMAC-SHA256 of id, time and
 * body, in that order. The body is read as a stream, so that it is never held whole.
 */
export async function signatureHeaders(
  { id, time, key }: { id: string; time: Date; key: Buffer },
  body: AsyncIterable<Buffer>,
): Promise<[string, string][]> {
  const timestamp = String(Math.floor(time.getTime() / 1_000));
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`);
  for await (const chunk of body) mac.update(chunk);
  return [
    ['webhook-id', id],
    ['webhook-timestamp', timestamp],
    ['webhook-signature', `v1,${mac.digest('base64')}`],
  ];
}
