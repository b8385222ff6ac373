import { readPageHead } from './page-head.js';
import { decodeText } from './page-text.js';

/** The bytes of a page that are read: some put half a megabyte of scripts before their description. */
const maxPageBytes = 1_000_000;
const maxTitle = 300;
const maxDescription = 700;
const maxText = 1_000;
/** No encoding takes more bytes for a character. */
const maxBytesPerCharacter = 8;

const html = /^(text\/html|application\/xhtml\+xml)$/;
const text = /^(text\/.+|application\/(json|xml|javascript|yaml|[\w.-]+\+(json|xml)))$/;

function mediaTypeOf(contentType: string | null): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The first `length` characters, without cutting one. */
function beginning(words: string, length: number): string {
  return words.length <= length
    ? words
    : Array.from(words.slice(0, length * 2))
        .slice(0, length)
        .join('');
}

function shortened(words: string, length: number): string {
  const kept = beginning(words, length);
  return kept === words ? words : `${beginning(words, length - 1).trimEnd()}…`;
}

/** The preview of a response: title and description of a page, the beginning of a text, else nothing. */
export function previewOf(body: Buffer, contentType: string | null): string {
  const mediaType = mediaTypeOf(contentType);
  if (html.test(mediaType)) {
    const { title, description } = readPageHead(decodeText(body, contentType, maxPageBytes));
    const parts = [shortened(title, maxTitle), shortened(description, maxDescription)];
    return parts.filter((part) => part !== '').join(' — ');
  }
  return text.test(mediaType) ? beginning(decodeText(body, contentType, maxText * maxBytesPerCharacter), maxText) : '';
}
