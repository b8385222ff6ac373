import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { Invalid } from '../../platform/errors/invalid.js';
import { XmlBuilder } from './xml-builder.js';
import { XmlPieces } from './xml-pieces.js';

// Bounds what the parser itself keeps; a report has some ten levels and four attributes.
const maxLevels = 10_000;
const maxAttributes = 1_000;

/** Characters outside XML 1.0 (section 2.2), which server responses contain. */
const noCharacter = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function broken(sentence: string): Invalid {
  return Invalid.at(['body'], 'xml_invalid', sentence);
}

/** The rules of a format. */
export interface XmlFormat {
  root: string;
  /** The tool, for refusals: ZAP. */
  tool: string;
  /** Whether reports begin with a document type; what it declares is not used. */
  hasDocumentType?: boolean;
  /** Whether built values hold the attributes of their elements, as `@name`. */
  keepsAttributes?: boolean;
}

/** Finds the parts of a report in its text; keeps nothing of the rest. */
export abstract class XmlReportParser<Part> {
  protected parts: Part[] = [];
  protected readonly path: string[] = [];
  private readonly parser = new SaxesParser({ xmlns: false, fragment: false, position: false });
  // The parser receives tags only: it would gather text, comments and instructions from small strings.
  private readonly pieces = new XmlPieces({
    tag: (tag) => this.tag(tag),
    text: (length, decoded) => this.text(length, decoded),
  });
  private endsInReturn = false;
  private isInDocumentType = false;
  private building: { builder: XmlBuilder; name: string } | null = null;
  private attributes = 0;

  constructor(private readonly format: XmlFormat) {
    const { parser } = this;
    parser.on('attribute', () => {
      if (++this.attributes > maxAttributes) throw broken(`An element has more than ${maxAttributes} attributes`);
    });
    parser.on('opentag', (tag) => this.open(tag));
    parser.on('closetag', () => this.close());
  }

  /** An element opens, outside those that are built; returns whether it is to be built. `path` ends in its name. */
  protected abstract opened(name: string, attributes: Record<string, string>): boolean;

  /** An element was built; its value is null where it has a fault. */
  protected abstract built(name: string, value: unknown, fault: string | null): void;

  /** The parts that the text completes. */
  write(text: string): Part[] {
    return this.fed(() => this.pieces.write(this.withLineFeeds(text.replace(noCharacter, '\ufffd'))));
  }

  end(): Part[] {
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
    if (/^<!doctype/i.test(tag)) return this.documentType(tag);
    if (this.isInDocumentType && /^<!(?:element|attlist|notation)\s/i.test(tag)) return;
    // Entities may grow exponentially, and no report needs one.
    if (/^<!entity/i.test(tag)) throw broken('The report declares an entity, which reports never do: remove it');
    this.isInDocumentType = false;
    this.parser.write(tag);
  }

  private documentType(tag: string): void {
    const { tool, hasDocumentType = false } = this.format;
    if (!hasDocumentType || this.path.length > 0) {
      throw broken(`The report has a document type (DOCTYPE), which a report of ${tool} never has: remove it`);
    }
    if (/<!entity/i.test(tag)) throw broken('The report declares an entity, which reports never do: remove it');
    this.isInDocumentType = true;
  }

  private text(length: number, decoded: () => string): void {
    if (this.building) return this.building.builder.text(length, decoded);
    const text = decoded();
    if (this.path.length > 0 || !/[^\s\ufeff]/.test(text)) return;
    if (this.isInDocumentType && /^[\s\]>]*$/.test(text)) return;
    throw new Error('there is text outside the root');
  }

  private fed(step: () => void): Part[] {
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
    if (this.building) return this.building.builder.start(name, attributes);
    if (this.path.length === 1) this.assertRoot(name);
    if (!this.opened(name, attributes)) return;
    this.building = { builder: new XmlBuilder(this.format.keepsAttributes), name };
    this.building.builder.start(name, attributes);
  }

  private assertRoot(name: string): void {
    const { root, tool } = this.format;
    if (name === root) return;
    const sentence = `This is not a ${tool} report: its root is ${name.slice(0, 100)}, and should be ${root}`;
    throw Invalid.at(['body'], 'value_error', sentence);
  }

  private close(): void {
    this.path.pop();
    const done = this.building?.builder.end();
    if (!this.building || !done) return;
    const { builder, name } = this.building;
    this.building = null;
    this.built(name, done.value, builder.fault);
  }
}

/** The parts of a report, as its bytes complete them. Throws `Invalid` for anything but a report in valid XML. */
export async function* xmlParts<Part>(
  chunks: AsyncIterable<Buffer>,
  parser: XmlReportParser<Part>,
): AsyncGenerator<Part[]> {
  const decoder = new TextDecoder('utf-8');
  for await (const chunk of chunks) {
    const parts = parser.write(decoder.decode(chunk, { stream: true }));
    if (parts.length > 0) yield parts;
  }
  const last = [...parser.write(decoder.decode()), ...parser.end()];
  if (last.length > 0) yield last;
}
