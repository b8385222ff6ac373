import { type PageVisitor, visitPage } from './page-tags.js';

export interface PageHead {
  title: string;
  description: string;
}

const titles = ['title', 'og:title', 'twitter:title'];
const descriptions = ['description', 'og:description', 'twitter:description'];
const wanted = new Set([...titles, ...descriptions]);

/** A page's title and `meta` tags by name; the first of several counts. */
class HeadVisitor implements PageVisitor {
  private readonly found = new Map<string, string>();

  title(text: string): void {
    this.note('title', text);
  }

  meta(attributes: ReadonlyMap<string, string>): void {
    const about = attributes.get('name') ?? attributes.get('property');
    if (about !== undefined) this.note(about.trim().toLowerCase(), attributes.get('content') ?? '');
  }

  done(): boolean {
    return this.found.has('title') && this.found.has('description');
  }

  /** The first non-blank one, with single blanks; else empty. */
  first(names: string[]): string {
    return names.map((name) => (this.found.get(name) ?? '').replace(/\s+/g, ' ').trim()).find(Boolean) ?? '';
  }

  private note(name: string, words: string): void {
    if (wanted.has(name) && !this.found.has(name)) this.found.set(name, words);
  }
}

/** The title and description that a page gives itself or for link previews (Open Graph); empty if it gives none. */
export function readPageHead(html: string): PageHead {
  const head = new HeadVisitor();
  visitPage(html, head);
  return { title: head.first(titles), description: head.first(descriptions) };
}
