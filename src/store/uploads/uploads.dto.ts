import { BooleanField, EnumField, IntegerField, StringField } from '../../platform/validation/fields.js';
import {
  type DerivativeFormat,
  derivativeFormats,
  type DerivativeWidth,
  derivativeWidths,
} from './pictures/derivative.js';
import { pictureBounds } from './pictures/picture-limits.js';

const maxUrl = 2_048;

/** The form of an upload: multer reads it, and this class describes it. */
export class PictureUpload {
  @StringField({
    format: 'binary',
    description: `The picture: ${pictureBounds}`,
  })
  file: string;
}

/** A stored picture. */
export class UploadedPicture {
  @StringField({
    description: 'The address of the picture: below PUBLIC_URL, else a path',
    example: '/uploads/general/0f8b7c1e.webp',
  })
  url: string;
  @StringField({ example: '0f8b7c1e.webp' })
  filename: string;
  @StringField({ example: 'image/webp' })
  content_type: string;
  @IntegerField({ description: 'In bytes', example: 48213 })
  size: number;
  @IntegerField({ example: 800 })
  width: number;
  @IntegerField({ example: 600 })
  height: number;
}

export class ImageImportRequest {
  @StringField({ minLength: 1, maxLength: maxUrl, example: 'https://example.com/lamp.jpg' })
  url: string;
}

export class ImageImportResponse {
  @StringField({
    description: 'The address of the stored picture; the given address if it is not a valid picture',
    example: '/uploads/general/0f8b7c1e.jpg',
  })
  url: string;
  @IntegerField({ description: 'Of the answer from there', example: 200 })
  status_code: number;
  @StringField({ nullable: true, description: 'Of the answer from there, as it says itself', example: 'image/jpeg' })
  content_type: string | null;
  @IntegerField({ description: 'The size in bytes, as received', example: 48213 })
  content_length: number;
  @BooleanField()
  is_valid_image: boolean;
  @StringField({
    nullable: true,
    description: 'A small WebP as a data URL',
    example: 'data:image/webp;base64,UklGRg==',
  })
  preview: string | null;
}

export class UrlFetchQuery {
  @StringField({ minLength: 1, maxLength: maxUrl, example: 'https://example.com/' })
  url: string;
}

export class UrlFetchResponse {
  @StringField({ example: 'https://example.com/' })
  url: string;
  @IntegerField({ description: 'Of the answer from there', example: 200 })
  status_code: number;
  @StringField({ nullable: true, example: 'text/html' })
  content_type: string | null;
  @IntegerField({ description: 'The size in bytes, as received', example: 1256 })
  content_length: number;
  @StringField({
    description: 'Title and description of a page, or the beginning of a text, else empty',
    example: 'Example Domain',
  })
  preview: string;
}

// Unspecified: pictures in other widths and formats.
export class PictureQuery {
  @EnumField(derivativeWidths, { optional: true, description: 'The most pixels of a line; without it 1920' })
  width?: DerivativeWidth;
  @EnumField(derivativeFormats, { optional: true, description: 'Without it WebP' })
  format?: DerivativeFormat;
}

export class PicturePath {
  @StringField({ maxLength: 100, example: 'general' })
  kind: string;
  @StringField({ maxLength: 255, example: '6f1c1f0e-58d1-4c0b-9b1e-0d5a4c3b2a10.png' })
  filename: string;
}
