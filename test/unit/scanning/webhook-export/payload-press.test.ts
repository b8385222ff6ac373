import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PayloadPress } from '../../../../src/scanning/webhook-export/payload-press.js';

async function pressed(texts: string[]): Promise<{ pieces: Buffer[]; bytes: number }> {
  const press = new PayloadPress();
  const pieces: Buffer[] = [];
  for (const text of texts) {
    const piece = await press.push(text);
    if (piece) pieces.push(piece);
  }
  pieces.push(await press.finish());
  return { pieces, bytes: press.bytes };
}

describe('PayloadPress', () => {
  it('gives the text back whole, and knows its length', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), async (texts) => {
        const { pieces, bytes } = await pressed(texts);
        const whole = gunzipSync(Buffer.concat(pieces));
        expect(whole.toString()).toBe(texts.join(''));
        expect(bytes).toBe(whole.length);
      }),
    );
  });

  it('hands out pieces as they get full', async () => {
    const texts = Array.from({ length: 20 }, () => randomBytes(48 * 1024).toString('base64'));
    const { pieces } = await pressed(texts);
    expect(pieces.length).toBeGreaterThan(1);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(2 * 1024 * 1024);
  });
});
