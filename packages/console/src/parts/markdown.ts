import DOMPurify from 'dompurify';
import { Marked } from 'marked';

const tags = 'a blockquote br code del em hr li ol p pre strong table tbody td th thead tr ul'.split(' ');
const kept = { ALLOWED_TAGS: tags, ALLOWED_ATTR: ['href', 'start'], ALLOWED_URI_REGEXP: /^https?:\/\//i };

const marked = new Marked({
  renderer: {
    // The page around it has headings of its own.
    heading({ tokens }) {
      return `<p><strong>${this.parser.parseInline(tokens)}</strong></p>`;
    },
  },
});

/** A text of others in Markdown as elements: words, lists, tables, code, and links to the web. */
export function markdownOf(text: string): DocumentFragment {
  const html = marked.parse(text, { async: false });
  const fragment = DOMPurify.sanitize(html, { ...kept, RETURN_DOM_FRAGMENT: true });
  for (const link of fragment.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    link.className = 'link';
    link.target = '_blank';
    link.rel = 'noreferrer noopener';
  }
  return fragment;
}
