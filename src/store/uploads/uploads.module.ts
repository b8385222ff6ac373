import { Module } from '@nestjs/common';
import { NetModule } from '../../common/net/net.module.js';
import { repositoriesOf } from '../../database/repositories.js';
import { DiskStorage } from './storage/disk-storage.js';
import { LinkPreviewService } from './link-preview.service.js';
import { PictureImportService } from './picture-import.service.js';
import { Pictures } from './pictures/pictures.js';
import { RemoteContent } from './remote-content.js';
import { ServedPicturesController } from './served-pictures.controller.js';
import { PictureStorage } from './storage/picture-storage.js';
import { UploadEntity } from './upload.entity.js';
import { UploadsController } from './uploads.controller.js';
import { UploadsRepository } from './uploads.repository.js';
import { UploadsService } from './uploads.service.js';

@Module({
  imports: [repositoriesOf([UploadEntity]), NetModule],
  controllers: [UploadsController, ServedPicturesController],
  providers: [
    UploadsService,
    UploadsRepository,
    Pictures,
    { provide: PictureStorage, useClass: DiskStorage },
    RemoteContent,
    PictureImportService,
    LinkPreviewService,
  ],
  exports: [UploadsService],
})
export class UploadsModule {}
