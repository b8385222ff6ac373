import { Body, Controller, Delete, Get, Ip, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly, Bearer, Public } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
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
    'Takes what the other uploads take, and sets your `avatar_url` to it.',
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
    'Upload a picture for reviews and the like',
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
    "Delete a picture of the caller's",
    'Deletes the stored file, which frees that much of the quota of uploads. An avatar is cleared from the account; whatever else shows the picture shows nothing then.',
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
    'Keep a picture from elsewhere',
    'Fetches a picture from a public address, within 5 seconds and 5 MiB, and keeps a copy. Where the address ' +
      'holds no picture, or one that an upload would refuse, `is_valid_image` is false and nothing is kept. Private ' +
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
    'Title and description of a page, or the beginning of a text, at a public address, for a card beside a ' +
      'link. Private and reserved addresses are refused.',
  )
  @Refuses({ upstream_failed: codesOf('upstream_failed'), too_many_requests: ['busy'], unavailable: ['busy'] })
  fetchUrl(@Query() { url }: UrlFetchQuery, @Ip() address: string): Promise<UrlFetchResponse> {
    return this.previews.fetch(url, address);
  }
}
