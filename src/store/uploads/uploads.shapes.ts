import { BooleanField, IntegerField, StringField } from '../../common/validation/fields.js';

const maxUrl = 2_048;

/** The form of an upload; it is read by multer, and described by this. */
export class PictureUpload {
  @StringField({ format: 'binary', description: 'A PNG, JPEG, WebP, GIF or AVIF of at most 5 MiB and 50 megapixels' })
  file: string;
}

/** A picture that was kept. */
export class UploadedPicture {
  @StringField({ description: 'Where it is served: beneath PUBLIC_URL, else a path' })
  url: string;
  @StringField()
  filename: string;
  @StringField()
  content_type: string;
  @IntegerField({ description: 'In bytes' })
  size: number;
  @IntegerField()
  width: number;
  @IntegerField()
  height: number;
}

export class ImageImportRequest {
  @StringField({ minLength: 1, maxLength: maxUrl, example: 'https://example.com/lamp.jpg' })
  url: string;
}

export class ImageImportResponse {
  @StringField({ description: 'Of the stored picture; the given one where it is no valid picture' })
  url: string;
  @IntegerField({ description: 'Of the answer from there' })
  status_code: number;
  @StringField({ nullable: true, description: 'Of the answer from there, as it says itself' })
  content_type: string | null;
  @IntegerField({ description: 'In bytes, as they came' })
  content_length: number;
  @BooleanField()
  is_valid_image: boolean;
  @StringField({ nullable: true, description: 'A small WebP as a data URL' })
  preview: string | null;
}

export class UrlFetchQuery {
  @StringField({ minLength: 1, maxLength: maxUrl, example: 'https://example.com/' })
  url: string;
}

export class UrlFetchResponse {
  @StringField()
  url: string;
  @IntegerField({ description: 'Of the answer from there' })
  status_code: number;
  @StringField({ nullable: true })
  content_type: string | null;
  @IntegerField({ description: 'In bytes, as they came' })
  content_length: number;
  @StringField({ description: 'Title and description of a page, the beginning of a text, else empty' })
  preview: string;
}

export class PicturePath {
  @StringField()
  kind: string;
  @StringField()
  filename: string;
}
