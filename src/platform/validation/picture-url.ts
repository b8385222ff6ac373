import { parseUrl } from '../../config/parse-url.js';

const maxLength = 2_048;

/** The characters of an http or https URL without credentials, or of the path of an upload. */
const pattern =
  /^(?:[hH][tT][tT][pP][sS]?:\/\/[^\s/?#@<>"`\\]+(?:[/?#][^\s<>"`\\]*)?|\/uploads\/(?:product|avatar|general)\/[\w-]+(?:\.[\w-]+)+)$/;

/**
 * Whether `text` may be shown as a picture: an absolute URL (WHATWG URL) of http or https without a user name or
 * password, or one of our own pictures, without a way up to other folders.
 */
export function isPictureUrl(text: string): boolean {
  return pattern.test(text) && (text.startsWith('/') || parseUrl(text) !== null);
}

/**
 * The options of every field that takes the address of a picture.
 * Unspecified: the form of such an address. Clients show it, so it is never a `javascript:` or `data:` address, has no quote
 * that would end an attribute, and its path does not lead out of the uploads.
 */
export const pictureUrl = {
  maxLength,
  pattern,
  patternHint: 'Input should be an http(s) URL, or the path of an uploaded picture such as /uploads/general/name.webp',
  format: 'uri-reference',
  example: 'https://example.com/lamp.jpg',
} as const;
