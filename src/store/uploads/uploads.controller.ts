import { Body, Controller, Delete, Get, Ip, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly, Bearer, Public } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { PersonOnly } from '../../platform/auth/scopes.js';
import { codesOf } from '../../platform/errors/error-codes.js';
import { Answers, type Refusals, Refuses } from '../../platform/http/answers.js';
import { LinkPreviewService } from './link-preview.service.js';
import { PictureFile, TakesPicture } from './picture-form.js';
import { PictureImportService } from './picture-import.service.js';
import { pictureBounds } from './pictures/picture-limits.js';
import type { UploadFile } from './upload-file.js';
import { UploadsService } from './uploads.service.js';
import {
  ImageImportRequest,
  ImageImportResponse,
  PicturePath,
  UploadedPicture,
  UrlFetchQuery,
  UrlFetchResponse,
} from './uploads.dto.js';

const pictureRefusals = {
  payload_too_large: ['file_too_large', 'picture_too_large'],
  unsupported_media_type: ['unsupported_picture'],
  request_timeout: ['file_too_slow'],
  too_many_requests: ['busy'],
  unavailable: ['storage_unavailable', 'busy'],
} satisfies Refusals;
const ownPictureRefusals = { ...pictureRefusals, quota_exceeded: ['quota_exceeded'] } satisfies Refusals;

@ApiTags('uploads')
@Controller('api/v1/uploads')
export class UploadsController {
  constructor(
    private readonly uploads: UploadsService,
    private readonly imports: PictureImportService,
    private readonly previews: LinkPreviewService,
  ) {}

  @Post('product')
  @AdminOnly()
  @PersonOnly()
  @TakesPicture()
  @Answers(
    200,
    UploadedPicture,
    'Upload a picture of a product',
    `Takes ${pictureBounds}. The picture is written anew without metadata, and served at the \`url\` of the answer, ` +
      "which a product's `image_url` takes.",
  )
  @Refuses(pictureRefusals)
  product(@PictureFile() file: UploadFile, @Caller() caller: CallerIdentity): Promise<UploadedPicture> {
    return this.uploads.upload('product', file, caller);
  }

  @Post('avatar')
  @Bearer()
  @TakesPicture()
  @Answers(
    200,
    UploadedPicture,
    "Upload a picture as the caller's avatar",
    'Takes the same files as the other uploads, and sets your `avatar_url`.',
  )
  @Refuses(ownPictureRefusals)
  avatar(@PictureFile() file: UploadFile, @Caller() caller: CallerIdentity): Promise<UploadedPicture> {
    return this.uploads.uploadAvatar(file, caller);
  }

  @Post('general')
  @Bearer()
  @TakesPicture()
  @Answers(
    200,
    UploadedPicture,
    'Upload a picture for reviews and other texts',
    `Takes ${pictureBounds}. The picture is written anew without metadata, and served at the \`url\` of the answer.`,
  )
  @Refuses(ownPictureRefusals)
  general(@PictureFile() file: UploadFile, @Caller() caller: CallerIdentity): Promise<UploadedPicture> {
    return this.uploads.upload('general', file, caller);
  }

  @Delete(':kind/:filename')
  @Bearer()
  @Answers(
    204,
    undefined,
    "Delete one of the caller's pictures",
    'Deletes the stored file, and frees its part of the upload quota. An avatar is also removed from the ' +
      'account; other places that show the picture will show none.',
  )
  @Refuses({ not_found: ['not_found'] })
  remove(@Param() { kind, filename }: PicturePath, @Caller() caller: CallerIdentity): Promise<void> {
    return this.uploads.remove(kind, filename, caller);
  }

  @Post('import-from-url')
  @Bearer()
  @Answers(
    200,
    ImageImportResponse,
    'Import a picture from an address',
    'Fetches a picture from a public address, within 5 seconds and 5 MiB, and stores a copy. If the address has ' +
      'no picture, or one that an upload would refuse, `is_valid_image` is false and nothing is stored. Private ' +
      'and reserved addresses are refused.',
  )
  @Refuses({
    quota_exceeded: ['quota_exceeded'],
    upstream_failed: codesOf('upstream_failed'),
    too_many_requests: ['busy'],
    unavailable: ['storage_unavailable', 'busy'],
  })
  importFromUrl(@Body() { url }: ImageImportRequest, @Caller() caller: CallerIdentity): Promise<ImageImportResponse> {
    return this.imports.import(url, caller);
  }

  @Get('fetch-url')
  @Public()
  @Answers(
    200,
    UrlFetchResponse,
    'Preview a link',
    'Title and description of a page, or the beginning of a text, at a public address, to show with a link. ' +
      'Private and reserved addresses are refused.',
  )
  @Refuses({ upstream_failed: codesOf('upstream_failed'), too_many_requests: ['busy'], unavailable: ['busy'] })
  fetchUrl(@Query() { url }: UrlFetchQuery, @Ip() address: string): Promise<UrlFetchResponse> {
    return this.previews.fetch(url, address);
  }
}
