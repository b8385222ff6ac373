import type { Fields } from './report-text.js';

// An element is built in memory, so its size is bounded; a larger one is reported as a fault.
const maxDepth = 64;
const maxValues = 200_000;
const maxCharacters = 16 * 2 ** 20;
const maxTexts = 1_000_000;

interface OpenElement {
  name: string;
  text: string;
  /** Child elements by name; several of one name are a list. */
  fields: Fields | null;
  /** Attributes, where they are kept. */
  attributes: Record<string, string> | null;
}

function addTo(parent: OpenElement, name: string, value: unknown): void {
  parent.fields ??= Object.create(null) as Fields;
  const known = parent.fields[name];
  if (known === undefined) parent.fields[name] = value;
  else if (Array.isArray(known)) known.push(value);
  else parent.fields[name] = [known, value];
}

/** An object of the children, or the text; beside attributes the text is `#text`. */
function valueOf({ fields, text, attributes }: OpenElement): unknown {
  if (attributes === null) return fields ?? text;
  const named = Object.entries(attributes).map(([name, value]) => [`@${name}`, value]);
  return { ...Object.fromEntries(named), ...(fields ?? { '#text': text }) } as Fields;
}

/** Builds one XML element as JSON would have it: an object of its children, or its text. */
export class XmlBuilder {
  fault: string | null = null;
  private readonly open: OpenElement[] = [];
  private values = 0;
  private characters = 0;
  private texts = 0;
  private deeper = 0;

  constructor(private readonly keepsAttributes = false) {}

  start(name: string, attributes: Record<string, string> = {}): void {
    if (++this.values > maxValues) this.fault ??= 'is too large';
    if (this.open.length >= maxDepth) {
      this.fault ??= `is nested deeper than ${maxDepth} levels`;
      this.deeper++;
    } else {
      const hasSome = this.keepsAttributes && Object.keys(attributes).length > 0;
      this.open.push({ name, text: '', fields: null, attributes: hasSome ? attributes : null });
    }
  }

  /** Adds a piece of text, decoded only where it is kept. */
  text(length: number, decoded: () => string): void {
    this.characters += length;
    if (++this.texts > maxTexts || this.characters > maxCharacters) this.fault ??= 'is too large';
    const top = this.open.at(-1);
    if (top && this.fault === null) top.text += decoded();
  }

  /** Ends an element; returns the built value where it was the outermost one. */
  end(): { value: unknown } | null {
    if (this.deeper > 0) {
      this.deeper--;
      return null;
    }
    const element = this.open.pop();
    const parent = this.open.at(-1);
    if (!element) return null;
    const value = valueOf(element);
    if (!parent) return { value: this.fault === null ? value : null };
    if (this.fault === null) addTo(parent, element.name, value);
    return null;
  }
}
