import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { readTar, tarEnd, writeTarEntry } from '../src/tar.js';

interface Given {
  name: string;
  isFolder?: boolean;
  text?: string;
}

async function bytesOf(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
}

function entryOf({ name, isFolder = false, text = '' }: Given) {
  const bytes = Buffer.from(text);
  return { name, isFolder, size: bytes.length, body: Readable.from([bytes]) };
}

async function archiveOf(given: Given[]): Promise<Buffer> {
  const entries = await Promise.all(given.map((one) => bytesOf(writeTarEntry(entryOf(one)))));
  return Buffer.concat([...entries, tarEnd()]);
}

async function read(archive: Buffer): Promise<Given[]> {
  const found: Given[] = [];
  for await (const { name, isFolder, body } of readTar(Readable.from([archive]))) {
    found.push({ name, isFolder, text: (await bytesOf(body)).toString() });
  }
  return found;
}

const given = [
  { name: 'folder', isFolder: true, text: '' },
  { name: 'folder/one', isFolder: false, text: 'x'.repeat(512) },
  { name: 'folder/empty', isFolder: false, text: '' },
  { name: 'folder/other', isFolder: false, text: 'ü'.repeat(700) },
];

describe('An archive', () => {
  it('returns its files and folders', async () => {
    expect(await read(await archiveOf(given))).toEqual(given);
  });

  it('can be listed without reading the bodies', async () => {
    const names: string[] = [];
    for await (const { name } of readTar(Readable.from([await archiveOf(given)]))) names.push(name);
    expect(names).toEqual(given.map(({ name }) => name));
  });

  it('is refused if it is cut short, has trailing bytes or is not an archive', async () => {
    const archive = await archiveOf(given);
    await expect(read(archive.subarray(0, 700))).rejects.toThrow('ends early');
    await expect(read(archive.subarray(0, 1_100))).rejects.toThrow('ends early');
    await expect(read(archive.subarray(0, archive.length - 1_024))).rejects.toThrow('ends early');
    await expect(read(Buffer.concat([archive, archive]))).rejects.toThrow('goes on after its end');
    await expect(read(Buffer.alloc(1_024, 'text'))).rejects.toThrow('is no tar');
  });

  it('holds no links, no files that change while they are read, and no names that do not fit', async () => {
    const link = await archiveOf([{ name: 'link' }]);
    link.write('2', 156);
    link.write((Number.parseInt(link.toString('latin1', 148, 154), 8) + 2).toString(8).padStart(6, '0'), 148);
    await expect(read(link)).rejects.toThrow('which is no file');
    const growing = { ...entryOf({ name: 'growing', text: 'abc' }), size: 2 };
    await expect(bytesOf(writeTarEntry(growing))).rejects.toThrow('growing changed while it was read');
    await expect(archiveOf([{ name: 'n'.repeat(101) }])).rejects.toThrow('too long a name');
  });
});
