import { ByteSource } from './byte-source.js';

/** A file or folder of an archive; read or skip the body of one before asking for the next. */
export interface TarEntry {
  name: string;
  isFolder: boolean;
  size: number;
  body: AsyncIterable<Buffer>;
}

const blockBytes = 512;
const regular = new Set(['0', '\0']);
const folder = '5';

function paddingOf(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes;
}

function textAt(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? length : end);
}

function checksumOf(header: Buffer): number {
  const own = header.subarray(148, 156).reduce((sum, byte) => sum + byte, 0);
  return header.reduce((sum, byte) => sum + byte, 0) - own + 8 * ' '.charCodeAt(0);
}

/** Reads the entries of a tar archive (POSIX ustar). Throws where it is none, ends early, or has others than files and folders. */
export async function* readTar(bytes: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const source = new ByteSource(bytes);
  const early = () => new Error('The archive ends early');
  for (;;) {
    const header = await source.exactly(blockBytes);
    if (header === null) throw early();
    if (header.every((byte) => byte === 0)) break;
    if (Number.parseInt(textAt(header, 148, 8), 8) !== checksumOf(header)) throw new Error('The archive is no tar');
    const [size, type] = [Number.parseInt(textAt(header, 124, 12), 8), textAt(header, 156, 1) || '\0'];
    const [prefix, name] = [textAt(header, 345, 155), textAt(header, 0, 100)];
    if (type !== folder && !regular.has(type)) throw new Error(`The archive has ${name}, which is no file`);
    let left = type === folder ? 0 : size;
    const padding = paddingOf(left);
    const read = async function* (): AsyncGenerator<Buffer> {
      while (left > 0) {
        const piece = await source.some(left);
        if (piece === null) throw early();
        left -= piece.length;
        yield piece;
      }
    };
    const path = prefix === '' ? name : `${prefix}/${name}`;
    yield { name: path.replace(/\/$/, ''), isFolder: type === folder, size: left, body: read() };
    for await (const _ of read()); // what its reader left
    if (padding > 0 && (await source.exactly(padding)) === null) throw early();
  }
  for (let rest = await source.some(blockBytes); rest !== null; rest = await source.some(blockBytes)) {
    if (rest.some((byte) => byte !== 0)) throw new Error('The archive goes on after its end');
  }
}

/** A tar entry of that size: its header, the body, and what fills its last block. Throws where the body has another size. */
export async function* writeTarEntry({ name, isFolder, size, body }: TarEntry): AsyncGenerator<Buffer> {
  yield headerOf(name, isFolder, size);
  let written = 0;
  for await (const piece of body) {
    written += piece.length;
    yield piece;
  }
  if (written !== size) throw new Error(`${name} changed while it was read`);
  if (paddingOf(size) > 0) yield Buffer.alloc(paddingOf(size));
}

/** The end of a tar archive. */
export function tarEnd(): Buffer {
  return Buffer.alloc(2 * blockBytes);
}

function headerOf(name: string, isFolder: boolean, size: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long a name for the archive`);
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0);
  header.write(isFolder ? '0000700\0' : '0000600\0', 100);
  header.write('0000000\0'.repeat(2), 108);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write(isFolder ? folder : '0', 156);
  header.write('ustar\x0000', 257);
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
