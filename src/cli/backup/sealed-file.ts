import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { ByteSource } from '@store-service/embedded-postgres';
import { StartError } from '../../config/start-error.js';

// The form of the file: a line that says what it is, a line of JSON, then frames. A frame is four bytes (the length of
// its content, the highest bit set in the last one), the content, and a tag: with a passphrase that of AES-256-GCM,
// without one the SHA-256 of file, place and content. So frames can be neither altered nor left out, moved or cut off.
const firstLine = 'store-service backup\n';
const version = 1;
const frameBytes = 256 * 1024;
const lastBit = 0x8000_0000;
const longestHeader = 1_000;
/** OWASP's parameters for scrypt: 128 MiB and some tenths of a second for each guess. */
const scryptCost = { N: 2 ** 17, r: 8, p: 1, maxmem: 160 * 2 ** 20 };

/** Computes and checks the tags of frames, and hides their content where there is a key. */
interface Seal {
  tagBytes: number;
  close(nonce: Buffer, content: Buffer): { body: Buffer; tag: Buffer };
  /** The content, or null if it was altered. */
  open(nonce: Buffer, body: Buffer, tag: Buffer): Buffer | null;
}

function plainSeal(header: Buffer): Seal {
  const tagOf = (nonce: Buffer, content: Buffer) =>
    createHash('sha256').update(header).update(nonce).update(content).digest();
  return {
    tagBytes: 32,
    close: (nonce, content) => ({ body: content, tag: tagOf(nonce, content) }),
    open: (nonce, body, tag) => (tagOf(nonce, body).equals(tag) ? body : null),
  };
}

function secretSeal(header: Buffer, key: Buffer): Seal {
  return {
    tagBytes: 16,
    close: (nonce, content) => {
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(header);
      const body = Buffer.concat([cipher.update(content), cipher.final()]);
      return { body, tag: cipher.getAuthTag() };
    },
    open: (nonce, body, tag) => {
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 }).setAAD(header);
      try {
        return Buffer.concat([decipher.setAuthTag(tag).update(body), decipher.final()]);
      } catch {
        return null;
      }
    },
  };
}

/**
 * A frame's nonce: its place, and whether it is the last. No nonce is used twice with one key, since each file's salt
 * gives it its own key.
 */
function nonceOf(place: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(place, 7);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

/** The key, and the check by which a wrong passphrase is recognized. */
async function keyOf(passphrase: string, salt: Buffer): Promise<{ key: Buffer; check: string }> {
  const derive = promisify<string, Buffer, number, typeof scryptCost, Buffer>(scrypt);
  const bytes = await derive(passphrase.normalize('NFC'), salt, 48, scryptCost);
  return { key: bytes.subarray(0, 32), check: bytes.subarray(32).toString('hex') };
}

/** Turns bytes into those of a sealed file; hides them where a passphrase is given. */
export async function* sealed(bytes: AsyncIterable<Buffer>, passphrase: string | undefined): AsyncGenerator<Buffer> {
  const salt = randomBytes(16);
  const secret = passphrase === undefined ? undefined : await keyOf(passphrase, salt);
  const parameters = { version, salt: salt.toString('hex'), ...(secret ? { check: secret.check } : {}) };
  const header = Buffer.from(`${firstLine}${JSON.stringify(parameters)}\n`);
  yield header;
  const seal = secret ? secretSeal(header, secret.key) : plainSeal(header);
  const source = new ByteSource(bytes);
  let isLast = false;
  for (let place = 0; !isLast; place++) {
    const content = await portionOf(source);
    isLast = content.length < frameBytes;
    const { body, tag } = seal.close(nonceOf(place, isLast), content);
    const length = Buffer.alloc(4);
    length.writeUInt32BE((body.length | (isLast ? lastBit : 0)) >>> 0);
    yield Buffer.concat([length, body, tag]);
  }
}

/** The content of a frame: of full size, except for the last frame. */
async function portionOf(source: ByteSource): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let missing = frameBytes; missing > 0;) {
    const part = await source.some(missing);
    if (part === null) break;
    parts.push(part);
    missing -= part.length;
  }
  return Buffer.concat(parts);
}

interface Parameters {
  version: number;
  salt: string;
  check?: string;
}

async function readLine(source: ByteSource): Promise<Buffer | null> {
  const bytes: Buffer[] = [];
  while (bytes.length < longestHeader) {
    const byte = await source.exactly(1);
    if (byte === null) return null;
    bytes.push(byte);
    if (byte[0] === 0x0a) return Buffer.concat(bytes);
  }
  return null;
}

function parametersIn(line: Buffer): Parameters | null {
  try {
    const { version: found, salt, check } = JSON.parse(line.toString()) as Partial<Record<string, unknown>>;
    if (typeof found !== 'number' || typeof salt !== 'string') return null;
    return typeof check === 'string' ? { version: found, salt, check } : { version: found, salt };
  } catch {
    return null;
  }
}

async function readHeader(source: ByteSource, file: string): Promise<{ header: Buffer; parameters: Parameters }> {
  const [first, second] = [await source.exactly(firstLine.length), await readLine(source)];
  if (first?.toString('latin1') !== firstLine) throw new StartError(`${file} is not a backup of this service`);
  const parameters = second && parametersIn(second);
  if (!second || !parameters) throw damaged(file);
  if (parameters.version > version) {
    throw new StartError(`${file} has version ${parameters.version} of the format: restore it with a newer release`);
  }
  return { header: Buffer.concat([first, second]), parameters };
}

function damaged(file: string): StartError {
  return new StartError(`${file} is damaged: it was altered or is incomplete. Use another copy of it`);
}

async function sealOf(header: Buffer, { salt, check }: Parameters, file: string, passphrase?: string): Promise<Seal> {
  if (check === undefined && passphrase === undefined) return plainSeal(header);
  if (check === undefined) {
    throw new StartError(
      `${file} is not encrypted, but a passphrase is set: unset the passphrase if you trust this file`,
    );
  }
  if (passphrase === undefined) {
    throw new StartError(`${file} is encrypted: set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE`);
  }
  const secret = await keyOf(passphrase, Buffer.from(salt, 'hex'));
  if (secret.check !== check) throw new StartError(`${file} was encrypted with another passphrase: set that one`);
  return secretSeal(header, secret.key);
}

/**
 * Returns the bytes of a sealed file, each piece after its check. Throws a `StartError` that names `file` if it is not
 * such a file, of a newer form, altered, cut off, or closed by another passphrase.
 */
export async function* unsealed(
  bytes: AsyncIterable<Buffer>,
  { file, passphrase }: { file: string; passphrase: string | undefined },
): AsyncGenerator<Buffer> {
  const source = new ByteSource(bytes);
  const { header, parameters } = await readHeader(source, file);
  const seal = await sealOf(header, parameters, file, passphrase);
  let isLast = false;
  for (let place = 0; !isLast; place++) {
    const length = (await source.exactly(4))?.readUInt32BE();
    if (length === undefined) throw damaged(file);
    isLast = length >= lastBit;
    const size = isLast ? length - lastBit : length;
    if (size > frameBytes) throw damaged(file);
    const [body, tag] = [await source.exactly(size), await source.exactly(seal.tagBytes)];
    const content = body && tag && seal.open(nonceOf(place, isLast), body, tag);
    if (!content) throw damaged(file);
    yield content;
  }
  if ((await source.some(1)) !== null) throw damaged(file);
}
