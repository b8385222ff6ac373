import { Body, Controller, Get, Ip, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly, Bearer, Public } from '../../common/auth/access.js';
import { Caller, type CallerIdentity } from '../../common/auth/caller.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { LinkPreviewService } from './link-preview.service.js';
import { PictureFile, TakesPicture } from './picture-form.js';
import { PictureImportService } from './picture-import.service.js';
import { UploadsService } from './uploads.service.js';
import {
  ImageImportRequest,
  ImageImportResponse,
  UploadedPicture,
  UrlFetchQuery,
  UrlFetchResponse,
} from './uploads.shapes.js';

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
  @Answers(200, UploadedPicture, 'Upload a picture of a product')
  product(@PictureFile() file: Buffer, @Caller() caller: CallerIdentity): Promise<UploadedPicture> {
    return this.uploads.upload('product', file, caller);
  }

  @Post('avatar')
  @Bearer()
  @TakesPicture()
  @Answers(200, UploadedPicture, "Upload a picture as the caller's avatar")
  avatar(@PictureFile() file: Buffer, @Caller() caller: CallerIdentity): Promise<UploadedPicture> {
    return this.uploads.uploadAvatar(file, caller);
  }

  @Post('general')
  @Bearer()
  @TakesPicture()
  @Answers(200, UploadedPicture, 'Upload a picture for reviews and the like')
  general(@PictureFile() file: Buffer, @Caller() caller: CallerIdentity): Promise<UploadedPicture> {
    return this.uploads.upload('general', file, caller);
  }

  @Post('import-from-url')
  @Bearer()
  @Answers(200, ImageImportResponse, 'Keep a picture from elsewhere')
  @Refuses({ upstream_failed: 'Nothing whole came from the address in 5 s and 5 MiB' })
  importFromUrl(@Body() { url }: ImageImportRequest, @Caller() caller: CallerIdentity): Promise<ImageImportResponse> {
    return this.imports.import(url, caller);
  }

  @Get('fetch-url')
  @Public()
  @Answers(200, UrlFetchResponse, 'Preview a link')
  @Refuses({ upstream_failed: 'Nothing whole came from the address in 5 s and 5 MiB' })
  fetchUrl(@Query() { url }: UrlFetchQuery, @Ip() address: string): Promise<UrlFetchResponse> {
    return this.previews.fetch(url, address);
  }
}
