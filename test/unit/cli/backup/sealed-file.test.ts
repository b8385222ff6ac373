import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sealed, unsealed } from '../../../../src/cli/backup/sealed-file.js';

const frame = 256 * 1024;

async function whole(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
}

/** The bytes in pieces of that size. */
function inPieces(bytes: Buffer, size: number): Readable {
  const pieces: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += size) pieces.push(bytes.subarray(from, from + size));
  return Readable.from(pieces);
}

const seal = (bytes: Buffer, passphrase?: string) => whole(sealed(inPieces(bytes, 100_000), passphrase));
const unseal = (file: Buffer, passphrase?: string, size = 70_000) =>
  whole(unsealed(inPieces(file, size), { file: 'FILE', passphrase }));

function withByte(file: Buffer, at: number): Buffer {
  const copy = Buffer.from(file);
  copy.writeUInt8((copy[at] ?? 0) ^ 1, at);
  return copy;
}

describe('A sealed file', () => {
  it.each([0, 1, frame - 1, frame, frame + 1, 3 * frame])('returns what was put into it: %i bytes', async (size) => {
    const bytes = randomBytes(size);
    expect((await unseal(await seal(bytes))).equals(bytes)).toBe(true);
  });

  it('returns it however the pieces arrive', async () => {
    const bytes = randomBytes(frame + 99);
    const file = await seal(bytes);
    const sizes = fc.asyncProperty(fc.integer({ min: 1_000, max: 600_000 }), async (size) => {
      expect((await unseal(file, undefined, size)).equals(bytes)).toBe(true);
    });
    await fc.assert(sizes, { numRuns: 20 });
  });

  it('is refused when any byte is changed', async () => {
    const file = await seal(randomBytes(frame + 200));
    const property = fc.asyncProperty(fc.nat(file.length - 1), async (at) => {
      await expect(unseal(withByte(file, at))).rejects.toThrow(/damaged|not a backup|newer release/);
    });
    await fc.assert(property, { numRuns: 60, examples: [[0], [25], [35], [file.length - 1]] });
  });

  it('is refused when it is cut short, even between two frames, or has trailing bytes', async () => {
    const file = await seal(randomBytes(2 * frame + 5));
    const header = file.indexOf('\n', 30) + 1;
    const property = fc.asyncProperty(fc.integer({ min: header, max: file.length - 1 }), async (length) => {
      await expect(unseal(file.subarray(0, length))).rejects.toThrow('FILE is damaged');
    });
    await fc.assert(property, { numRuns: 30, examples: [[header], [header + 4 + frame + 32]] });
    await expect(unseal(Buffer.concat([file, Buffer.alloc(1)]))).rejects.toThrow('FILE is damaged');
  });

  it('is refused when frames are swapped', async () => {
    const file = await seal(randomBytes(3 * frame));
    const [header, length] = [file.indexOf('\n', 30) + 1, 4 + frame + 32];
    const frames = [0, 1, 2].map((place) => file.subarray(header + place * length, header + (place + 1) * length));
    const [first, second, third] = frames as [Buffer, Buffer, Buffer];
    const rest = file.subarray(header + 3 * length);
    const swapped = Buffer.concat([file.subarray(0, header), second, first, third, rest]);
    await expect(unseal(swapped)).rejects.toThrow('FILE is damaged');
  });

  it('is refused with a message of its own if it is of another kind or of a newer version', async () => {
    const file = await seal(Buffer.from('content'));
    const newer = Buffer.from(file.toString('latin1').replace('"version":1', '"version":2'), 'latin1');
    await expect(unseal(newer)).rejects.toThrow('version 2 of the format: restore it with a newer release');
    await expect(unseal(Buffer.from('PGDMP and so on, of another program'))).rejects.toThrow(
      'not a backup of this service',
    );
    await expect(unseal(Buffer.alloc(0))).rejects.toThrow('not a backup of this service');
  });
});

describe('A sealed file with a passphrase', () => {
  const passphrase = 'correct horse battery';
  const content = Buffer.concat([Buffer.from('a secret that nobody reads'), randomBytes(frame)]);

  it('opens only with it, hides its content, and is refused when altered', async () => {
    const file = await seal(content, passphrase);
    expect(file.includes('a secret')).toBe(false);
    expect((await unseal(file, passphrase)).equals(content)).toBe(true);
    await expect(unseal(file, `${passphrase}!`)).rejects.toThrow('was encrypted with another passphrase');
    await expect(unseal(file)).rejects.toThrow('FILE is encrypted: set BACKUP_PASSPHRASE');
    await expect(unseal(withByte(file, file.length - 1), passphrase)).rejects.toThrow('FILE is damaged');
    await expect(unseal(withByte(file, 5_000), passphrase)).rejects.toThrow('FILE is damaged');
  });

  it('refuses an unencrypted file', async () => {
    await expect(unseal(await seal(content), passphrase)).rejects.toThrow('is not encrypted, but a passphrase is set');
  });
});
