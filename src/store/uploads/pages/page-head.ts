import { decodeEntities } from './html-entities.js';

export interface PageHead {
  title: string;
  description: string;
}

/** How much of a page is looked through; some put a megabyte of scripts before their description. */
const maxLength = 1_500_000;
const maxAttributes = 5_000;

/** Elements whose content is no markup of the page itself. */
const opaque = new Set(['script', 'style', 'textarea', 'template', 'svg', 'iframe', 'noembed', 'xmp']);

const opening = /<(!--|[a-z][^\s/>]*)/gi;
const attribute = /([^\s=>"'/]+)\s*=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s>"']+))/g;

/** Where a tag's `>` is: quoted ones do not count. -1 where the tag is cut off. */
function endOfTag(html: string, from: number): number {
  let quote = '';
  let last = '';
  for (let at = from; at < html.length; at++) {
    const character = html.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return at;
    else if (last === '=' && (character === '"' || character === "'")) quote = character;
    if (character.trim() !== '') last = character;
  }
  return -1;
}

/** Where the content of an element that began before `from` ends. */
function endOfContent(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}

function attributesOf(tag: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', double, single, bare] of tag.slice(0, maxAttributes).matchAll(attribute)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, double ?? single ?? bare ?? '');
  }
  return found;
}

function tidy(words: string | undefined): string {
  return decodeEntities(words ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** What a page says of itself, by name: its title and its `meta` tags; of several the first counts. */
function statementsOf(html: string): Map<string, string> {
  const found = new Map<string, string>();
  const note = (name: string, words: string): void => void (found.has(name) || found.set(name, words));
  opening.lastIndex = 0;
  for (let match = opening.exec(html); match; match = opening.exec(html)) {
    const name = match[1]?.toLowerCase() ?? '';
    const end = name === '!--' ? html.indexOf('-->', opening.lastIndex) : endOfTag(html, opening.lastIndex);
    if (end === -1) break;
    if (name === 'meta') {
      const given = attributesOf(html.slice(opening.lastIndex, end));
      const about = given.get('name') ?? given.get('property');
      if (about !== undefined) note(about.toLowerCase(), given.get('content') ?? '');
    }
    const content = name === 'title' || opaque.has(name) ? endOfContent(html, name, end) : end;
    if (name === 'title') note('title', html.slice(end + 1, content));
    if (found.has('title') && found.has('description')) break;
    opening.lastIndex = content;
  }
  return found;
}

/** Title and description of a page, as it gives them itself or for link previews (Open Graph); empty where it does not. */
export function readPageHead(html: string): PageHead {
  const found = statementsOf(html.slice(0, maxLength));
  const first = (...names: string[]): string => names.map((name) => tidy(found.get(name))).find(Boolean) ?? '';
  return {
    title: first('title', 'og:title', 'twitter:title'),
    description: first('description', 'og:description', 'twitter:description'),
  };
}
