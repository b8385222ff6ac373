import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PayloadChunker } from '../../../../src/scanning/webhook-export/payload-chunker.js';

async function chunked(texts: string[]): Promise<{ chunks: Buffer[]; bytes: number }> {
  const chunker = new PayloadChunker();
  const chunks: Buffer[] = [];
  for (const text of texts) {
    const chunk = await chunker.push(text);
    if (chunk) chunks.push(chunk);
  }
  chunks.push(await chunker.finish());
  return { chunks, bytes: chunker.bytes };
}

describe('PayloadChunker', () => {
  it('keeps the text, and knows its length', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), async (texts) => {
        const { chunks, bytes } = await chunked(texts);
        const whole = gunzipSync(Buffer.concat(chunks));
        expect(whole.toString()).toBe(texts.join(''));
        expect(bytes).toBe(whole.length);
      }),
    );
  });

  it('returns chunks as they fill up', async () => {
    const texts = Array.from({ length: 20 }, () => randomBytes(48 * 1024).toString('base64'));
    const { chunks } = await chunked(texts);
    expect(chunks.length).toBeGreaterThan(1);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(2 * 1024 * 1024);
  });
});
