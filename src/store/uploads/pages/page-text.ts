import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { decodeWindows1252 } from './windows-1252.js';

/** How far a page's own word on its encoding is looked for (HTML Standard, section 13.2.3.2, asks for 1,024 bytes). */
const prescanBytes = 4_096;

function byteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
}

function declaredInPage(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, prescanBytes).toString('latin1');
  const label = /<(?:meta\b[^>]*?charset|\?xml\b[^>]*?encoding)\s*=\s*["']?\s*([\w:.-]+)/i.exec(start)?.[1];
  // A declaration that can be read byte by byte does not stand in a page of two-byte units.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function decoderFor(label: string | undefined): TextDecoder | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/**
 * The text of a page in whatever encoding it says it has: by byte order mark, `Content-Type` or its own declaration, in
 * this order (HTML Standard, section 13.2.3.2); else UTF-8 where it is that, else windows-1252.
 */
export function decodeText(bytes: Buffer, contentType: string | null): string {
  const inHeader = /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType ?? '')?.[1];
  const labels = [byteOrderMark(bytes), inHeader, declaredInPage(bytes), isUtf8(bytes) ? 'utf-8' : 'windows-1252'];
  for (const label of labels) {
    const decoder = decoderFor(label);
    if (decoder) return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes);
  }
  return '';
}
