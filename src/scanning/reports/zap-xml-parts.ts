import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { Invalid } from '../../platform/errors/invalid.js';
import { XmlBuilder } from './xml-builder.js';
import { XmlPieces } from './xml-pieces.js';
import type { Fields } from './report-text.js';

/** A part of a ZAP report in XML, in document order: the root, a site, or an element in a site's list of alerts. */
export type ZapXmlPart =
  | { kind: 'report'; attributes: Record<string, string> }
  | { kind: 'site'; site: number; attributes: Record<string, string> }
  | { kind: 'alert'; site: number; value: unknown; fault: string | null };

export const zapXmlRoot = 'OWASPZAPReport';

// Bounds what the parser itself keeps; a report has some ten levels and four attributes.
const maxLevels = 10_000;
const maxAttributes = 1_000;

/** Characters outside XML 1.0 (section 2.2), which server responses contain. */
const noCharacter = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function broken(sentence: string): Invalid {
  return Invalid.at(['body'], 'xml_invalid', sentence);
}

/** Finds the parts of a report in its text; keeps nothing of the rest. */
class ZapXmlParser {
  private readonly parser = new SaxesParser({ xmlns: false, fragment: false, position: false });
  private parts: ZapXmlPart[] = [];
  private readonly path: string[] = [];
  // The parser receives tags only: it would gather text, comments and instructions from small strings.
  private readonly pieces = new XmlPieces({
    tag: (tag) => this.tag(tag),
    text: (length, decoded) => this.text(length, decoded),
  });
  private endsInReturn = false;
  private sites = 0;
  private alert: { builder: XmlBuilder; isAlert: boolean } | null = null;
  private attributes = 0;

  constructor() {
    const { parser } = this;
    parser.on('attribute', () => {
      if (++this.attributes > maxAttributes) throw broken(`An element has more than ${maxAttributes} attributes`);
    });
    parser.on('opentag', (tag) => this.open(tag));
    parser.on('closetag', () => this.close());
  }

  /** The parts that the text completes. */
  write(text: string): ZapXmlPart[] {
    return this.fed(() => this.pieces.write(this.withLineFeeds(text.replace(noCharacter, '\ufffd'))));
  }

  end(): ZapXmlPart[] {
    return this.fed(() => {
      this.pieces.end();
      this.parser.close();
    });
  }

  /** XML 1.0, section 2.11. */
  private withLineFeeds(text: string): string {
    const followed = this.endsInReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.endsInReturn = text.endsWith('\r');
    return followed.includes('\r') ? followed.replace(/\r\n?/g, '\n') : followed;
  }

  private tag(tag: string): void {
    // A document type may define entities that grow exponentially, and no report of ZAP has one.
    if (/^<!doctype/i.test(tag)) {
      throw broken('The report has a document type (DOCTYPE), which a report of ZAP never has: remove it');
    }
    this.parser.write(tag);
  }

  private text(length: number, decoded: () => string): void {
    if (this.alert) return this.alert.builder.text(length, decoded);
    const text = decoded();
    if (this.path.length === 0 && /[^\s\ufeff]/.test(text)) throw new Error('there is text outside the root');
  }

  private fed(step: () => void): ZapXmlPart[] {
    try {
      step();
    } catch (error) {
      if (error instanceof Invalid) throw error;
      throw broken(`The report is not valid XML: ${error instanceof Error ? error.message : 'it cannot be read'}`);
    }
    const { parts } = this;
    this.parts = [];
    return parts;
  }

  private open({ name, attributes }: SaxesTagPlain): void {
    this.attributes = 0;
    this.path.push(name);
    if (this.path.length > maxLevels) throw broken(`The report is nested deeper than ${maxLevels} levels`);
    if (this.alert) return this.alert.builder.start(name);
    if (this.path.length === 1) this.openRoot(name, attributes);
    else if (this.path.length === 2 && name === 'site') {
      this.parts.push({ kind: 'site', site: this.sites++, attributes });
    } else if (this.path.length === 4 && this.path[1] === 'site' && this.path[2] === 'alerts') {
      this.alert = { builder: new XmlBuilder(), isAlert: name === 'alertitem' };
      this.alert.builder.start(name);
    }
  }

  private openRoot(name: string, attributes: Record<string, string>): void {
    if (name !== zapXmlRoot) {
      const sentence = `This is not a ZAP report: its root is ${name.slice(0, 100)}, and should be ${zapXmlRoot}`;
      throw Invalid.at(['body'], 'value_error', sentence);
    }
    this.parts.push({ kind: 'report', attributes });
  }

  private close(): void {
    this.path.pop();
    const built = this.alert?.builder.end();
    if (!this.alert || !built) return;
    const { builder, isAlert } = this.alert;
    const value = isAlert ? built.value : null;
    this.parts.push({ kind: 'alert', site: this.sites - 1, value, fault: builder.fault });
    this.alert = null;
  }
}

/** The parts of a report, as its bytes complete them. Throws `Invalid` for anything but a ZAP report in valid XML. */
export async function* zapXmlParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<ZapXmlPart[]> {
  const decoder = new TextDecoder('utf-8');
  const parser = new ZapXmlParser();
  for await (const chunk of chunks) {
    const parts = parser.write(decoder.decode(chunk, { stream: true }));
    if (parts.length > 0) yield parts;
  }
  const last = [...parser.write(decoder.decode()), ...parser.end()];
  if (last.length > 0) yield last;
}

/** The attributes of a site as the JSON of the same report has them. */
export function siteFields({ name, host, port, ssl }: Record<string, string>): Fields {
  return { '@name': name, '@host': host, '@port': port, '@ssl': ssl };
}
