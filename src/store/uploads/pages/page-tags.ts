import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** Receives the facts that a page gives about itself, in the order of the page. */
export interface PageVisitor {
  title?(text: string): void;
  meta(attributes: ReadonlyMap<string, string>): void;
  /** A comment, or something that HTML treats as one: a declaration in angle brackets with a question mark. */
  comment?(text: string): void;
  /** Whether the visitor knows all that it wants: the walk then skips the rest of the page. */
  done(): boolean;
}

/** Elements whose titles and tags are not the page's own. */
const foreign = new Set(['svg', 'math']);
const inert = new Set([...foreign, 'template']);

/** The longest name of an attribute; no visitor reads longer ones. */
const maxName = 40;
/** The characters of one title or attribute that are kept: several times what a preview shows. */
const maxValue = 8_000;
const maxAttributes = 50;

/**
 * Walks over a page's tags with the HTML standard's tokenizer, which reads each character once. It does not match
 * elements with their ends, so that nesting costs nothing.
 */
export function visitPage(html: string, visitor: PageVisitor): void {
  const walk = new PageWalk(html, visitor);
  const tokenizer = new Tokenizer({ decodeEntities: false }, walk);
  walk.whenDone = () => tokenizer.pause();
  tokenizer.write(html);
}

class PageWalk implements TokenizerCallbacks {
  whenDone: () => void = () => {};
  private element = '';
  private attribute: string | null = null;
  private attributes = new Map<string, string>();
  /** The element whose contents are not the page's own, and its depth within itself. */
  private within = { name: '', depth: 0 };

  constructor(
    private readonly html: string,
    private readonly visitor: PageVisitor,
  ) {}

  isInForeignContext(): boolean {
    return foreign.has(this.within.name);
  }

  onopentagname(start: number, end: number): void {
    this.element = this.name(start, end);
    this.attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    const wanted = this.element === 'meta' && this.attributes.size < maxAttributes;
    const name = wanted ? this.name(start, end) : '';
    // Of two attributes of one name the first counts (HTML Standard, section 13.2.5.33).
    this.attribute = name === '' || this.attributes.has(name) ? null : name;
  }

  onattribdata(start: number, end: number): void {
    if (this.attribute !== null) this.attributes.set(this.attribute, decodeHTMLAttribute(this.text(start, end)));
  }

  onattribend(): void {
    this.attribute = null;
  }

  onopentagend(): void {
    if (inert.has(this.element)) this.enter(this.element);
    else if (this.element === 'meta' && this.within.depth === 0) this.visitor.meta(this.attributes);
    this.rest();
  }

  onselfclosingtag(): void {
    // Foreign elements may close themselves; in HTML the slash means nothing.
    if (foreign.has(this.element)) this.element = '';
    else this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    const name = this.name(start, end);
    if (name === this.within.name && --this.within.depth === 0) this.within.name = '';
    this.element = '';
  }

  ontext(start: number, end: number): void {
    if (this.element !== 'title' || this.within.depth > 0) return;
    this.visitor.title?.(decodeHTML(this.text(start, end)));
    this.element = '';
    this.rest();
  }

  oncomment(start: number, end: number): void {
    this.visitor.comment?.(this.text(start, end));
    this.rest();
  }

  onattribentity(): void {}
  oncdata(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
  ontextentity(): void {}

  private enter(name: string): void {
    if (this.within.depth === 0) this.within = { name, depth: 1 };
    else if (this.within.name === name) this.within.depth++;
  }

  private rest(): void {
    if (this.visitor.done()) this.whenDone();
  }

  private name(start: number, end: number): string {
    return end - start > maxName ? '' : this.html.slice(start, end).toLowerCase();
  }

  private text(start: number, end: number): string {
    return this.html.slice(start, Math.min(end, start + maxValue));
  }
}
