/** Receives the pieces of a document while it is read. */
export interface XmlPiecesHandler {
  /** A tag as it is written. */
  tag(text: string): void;
  /** Literal text, or that of a CDATA section; `decoded` resolves its references. */
  text(length: number, decoded: () => string): void;
}

// The parser gathers a tag from many small strings, so its length is bounded; a report's tags take 200 characters.
const maxTagLength = 64 * 1024;
const maxTags = 3_000_000;
const maxTagReferences = 100_000;
/** The longest valid reference: `&#x10FFFF;` with some leading zeros. */
const maxReferenceLength = 32;

const predefined: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const reference = /&(?:(?:#x([\da-fA-F]{1,24})|#(\d{1,24})|(lt|gt|amp|quot|apos));)?/g;

/** XML 1.0, section 2.2. */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

/** Resolves references (XML 1.0, sections 4.1 and 4.6). Characters outside XML become U+FFFD, as literal ones do. */
function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(reference, (_, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return predefined[name] ?? '';
    if (hex === undefined && decimal === undefined) throw new Error('an & does not begin a valid XML reference');
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return isCharacter(code) ? String.fromCodePoint(code) : '\ufffd';
  });
}

/** Sections that only their own closing string ends. */
const sections = {
  comment: { open: '<!--', close: '-->' },
  instruction: { open: '<?', close: '?>' },
  cdata: { open: '<![CDATA[', close: ']]>' },
} as const;
type Section = keyof typeof sections;
const longestOpening = sections.cdata.open.length;

/** Cuts a document into tags and text in one pass; omits comments and processing instructions. */
export class XmlPieces {
  private rest = '';
  private section: Section | null = null;
  private tags = 0;
  private tagReferences = 0;

  constructor(private readonly handler: XmlPiecesHandler) {}

  /** Takes the next piece of the document; throws for anything that is not XML or exceeds the bounds. */
  write(piece: string): void {
    const text = this.rest + piece;
    let at = 0;
    for (let next = this.step(text, at); next > at; next = this.step(text, at)) at = next;
    this.rest = text.slice(at);
  }

  /** Ends the document; throws where a tag or section is still open. */
  end(): void {
    if (this.section !== null || this.rest.startsWith('<')) throw new Error('it ends too early');
    if (this.rest !== '') this.passText(this.rest);
  }

  /** Consumes the part that begins at a place; returns where the next one begins, or the same place where it needs more text. */
  private step(text: string, at: number): number {
    if (at >= text.length) return at;
    if (this.section !== null) return this.inSection(text, at, this.section);
    return text.charCodeAt(at) === 0x3c ? this.markup(text, at) : this.content(text, at);
  }

  private inSection(text: string, at: number, section: Section): number {
    const { close } = sections[section];
    const end = text.indexOf(close, at);
    // The last characters may begin the closing string.
    const to = end < 0 ? Math.max(at, text.length - close.length + 1) : end;
    if (section === 'cdata' && to > at) this.handler.text(to - at, () => text.slice(at, to));
    if (end < 0) return to;
    this.section = null;
    return end + close.length;
  }

  private markup(text: string, at: number): number {
    for (const section of Object.keys(sections) as Section[]) {
      const { open } = sections[section];
      if (!text.startsWith(open, at)) continue;
      this.section = section;
      return at + open.length;
    }
    if (text.startsWith('<!', at) && text.length - at < longestOpening) return at;
    return text.length - at < 2 ? at : this.tag(text, at);
  }

  private tag(text: string, at: number): number {
    let quote = 0;
    let references = 0;
    for (let index = at + 1; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === 0x26) references++;
      if (quote > 0) quote = code === quote ? 0 : quote;
      else if (code === 0x22 || code === 0x27) quote = code;
      else if (code === 0x3e) return this.passTag(text.slice(at, index + 1), references, index + 1);
      if (index - at > maxTagLength) throw new Error(`a tag is longer than ${maxTagLength} characters`);
    }
    return at;
  }

  private passTag(tag: string, references: number, end: number): number {
    if (++this.tags > maxTags) throw new Error(`it holds more than ${maxTags} tags`);
    this.tagReferences += references;
    if (this.tagReferences > maxTagReferences) {
      throw new Error(`its attributes have more than ${maxTagReferences} references such as &amp;`);
    }
    this.handler.tag(tag);
    return end;
  }

  private content(text: string, at: number): number {
    const next = text.indexOf('<', at);
    let to = next < 0 ? text.length : next;
    if (next < 0) {
      const last = text.lastIndexOf('&');
      const isOpen = last >= at && text.length - last < maxReferenceLength && !text.includes(';', last);
      if (isOpen) to = last;
    }
    if (to > at) this.passText(text.slice(at, to));
    return to;
  }

  private passText(text: string): void {
    this.handler.text(text.length, () => decoded(text));
  }
}
