import { createHmac } from 'node:crypto';

/**
 * The headers that sign a body (Standard Webhooks 1.0.0, https://www.standardwebhooks.com): the HMAC-SHA256 of id, time and
 * body by each key in order, separated by blanks. It reads the body as a stream, which is never in memory as a whole.
 */
export async function signatureHeaders(
  { id, time, keys }: { id: string; time: Date; keys: Buffer[] },
  body: AsyncIterable<Buffer>,
): Promise<[string, string][]> {
  const timestamp = String(Math.floor(time.getTime() / 1_000));
  const macs = keys.map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.`));
  for await (const chunk of body) for (const mac of macs) mac.update(chunk);
  return [
    ['webhook-id', id],
    ['webhook-timestamp', timestamp],
    ['webhook-signature', macs.map((mac) => `v1,${mac.digest('base64')}`).join(' ')],
  ];
}
