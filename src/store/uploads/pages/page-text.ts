import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { type PageVisitor, visitPage } from './page-tags.js';

/** The characters of windows-1252 in place of the C1 controls, from 0x80 on (Encoding Standard, index windows-1252). */
const inPlaceOfControls = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

/** The character of a code in windows-1252. */
function windows1252Character(code: number): string {
  return inPlaceOfControls[code - 0x80] ?? String.fromCharCode(code);
}

/** Decodes windows-1252, which the Web means by Latin-1 too. Node's own decoder reads 0x80 to 0x9F as controls. */
function decodeWindows1252(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\u0080-\u009F]/g, (control) => windows1252Character(control.charCodeAt(0)));
}

/**
 * The bytes in which a page may declare its encoding (HTML Standard, section 13.2.3.2, asks for 1,024
 * bytes).
 */
const prescanBytes = 4_096;

/** The encoding in a `Content-Type`, of a header or a page. */
const charset = /charset\s*=\s*(?:["']\s*)?([\w:.-]{1,40})/i;
/** The encoding in an XML declaration. */
const encoding = /^\?xml\s.*?\bencoding\s*=\s*["']([\w:.-]{1,40})/is;

function byteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
}

class EncodingVisitor implements PageVisitor {
  label: string | undefined;

  meta(attributes: ReadonlyMap<string, string>): void {
    const content = attributes.has('http-equiv') ? attributes.get('content') : undefined;
    this.label ??= attributes.get('charset')?.trim() ?? charset.exec(content ?? '')?.[1];
  }

  comment(text: string): void {
    this.label ??= encoding.exec(text)?.[1];
  }

  done(): boolean {
    return this.label !== undefined;
  }
}

function declaredInPage(bytes: Buffer): string | undefined {
  const visitor = new EncodingVisitor();
  visitPage(bytes.subarray(0, prescanBytes).toString('latin1'), visitor);
  const { label } = visitor;
  // A page of two-byte units cannot hold a declaration that is readable byte by byte.
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
 * The text of a page in the encoding that it declares: by byte order mark, `Content-Type` or its own declaration, in
 * this order (HTML Standard, section 13.2.3.2); else UTF-8 if it is valid, else windows-1252. Decodes `maxBytes` at
 * most.
 */
export function decodeText(bytes: Buffer, contentType: string | null, maxBytes: number): string {
  const inHeader = charset.exec(contentType ?? '')?.[1];
  const labels = [byteOrderMark(bytes), inHeader, declaredInPage(bytes), isUtf8(bytes) ? 'utf-8' : 'windows-1252'];
  const decoder = labels.map(decoderFor).find((one) => one !== undefined);
  const start = bytes.subarray(0, maxBytes);
  if (!decoder || decoder.encoding === 'windows-1252') return decodeWindows1252(start);
  // A stream may end within a character: that one is dropped.
  return decoder.decode(start, { stream: start.length < bytes.length });
}
