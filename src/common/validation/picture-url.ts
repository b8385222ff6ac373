/**
 * The bounds of a field that holds the address of a picture.
 * Not shown: what such an address may be; an http or https URL or one of our own pictures, so that no client is ever
 * handed a `javascript:` or `data:` address to show.
 */
export const pictureUrl = {
  maxLength: 2_048,
  pattern: /^(https?:\/\/[^\s<>"\\/?#][^\s<>"\\]*|\/uploads\/(product|avatar|general)\/[\w.-]+)$/,
  patternHint: 'Input should be an http(s) URL, or the path of an uploaded picture such as /uploads/general/name.webp',
};
