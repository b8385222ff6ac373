import { pictureFormats } from './pictures/picture-format.js';
import type { Picture } from './pictures/picture.js';
import type { UploadedPicture } from './uploads.dto.js';

export function toUploadedPicture(picture: Picture, filename: string, url: string): UploadedPicture {
  const { bytes, format, width, height } = picture;
  return { url, filename, content_type: pictureFormats[format].contentType, size: bytes.length, width, height };
}
