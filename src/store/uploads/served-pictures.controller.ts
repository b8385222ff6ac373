import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../platform/auth/access.js';
import { UploadsService } from './uploads.service.js';
import { PicturePath, PictureQuery } from './uploads.dto.js';

@Controller('uploads')
export class ServedPicturesController {
  constructor(private readonly uploads: UploadsService) {}

  @Get(':kind/:filename')
  @Public()
  @ApiExcludeEndpoint()
  serve(
    @Param() { kind, filename }: PicturePath,
    @Query() { width, format }: PictureQuery,
    @Res() response: Response,
  ): Promise<void> {
    const isPlain = width === undefined && format === undefined;
    const derivative = isPlain ? null : { width: Number(width ?? 1920), format: format ?? 'webp' };
    return this.uploads.serve(kind, filename, derivative, response);
  }
}
