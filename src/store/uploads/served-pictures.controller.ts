import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../platform/auth/access.js';
import { UploadsService } from './uploads.service.js';
import { PicturePath } from './uploads.dto.js';

@Controller('uploads')
export class ServedPicturesController {
  constructor(private readonly uploads: UploadsService) {}

  @Get(':kind/:filename')
  @Public()
  @ApiExcludeEndpoint()
  serve(@Param() { kind, filename }: PicturePath, @Res() response: Response): Promise<void> {
    return this.uploads.serve(kind, filename, response);
  }
}
