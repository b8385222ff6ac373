import { Module } from '@nestjs/common';
import { NetModule } from '../../platform/net/net.module.js';
import { OutsideCalls } from '../../platform/net/outside-calls.js';
import { Settings } from '../../config/settings.js';
import { repositoriesOf } from '../../database/repositories.js';
import { DerivedPicturesService } from './derived-pictures.service.js';
import { DiskStorage } from './storage/disk-storage.js';
import { LinkPreviewService } from './link-preview.service.js';
import { PictureImportService } from './picture-import.service.js';
import { Pictures } from './pictures/pictures.js';
import { RemoteContent } from './remote-content.js';
import { ServedPicturesController } from './served-pictures.controller.js';
import { PictureStorage } from './storage/picture-storage.js';
import { S3Bucket } from '../../platform/net/s3-bucket.js';
import { S3Storage } from './storage/s3-storage.js';
import { UnusedUploads } from './unused-uploads.js';
import { UnusedUploadsRepository } from './unused-uploads.repository.js';
import { UploadEntity } from './upload.entity.js';
import { UploadsController } from './uploads.controller.js';
import { UploadsRepository } from './uploads.repository.js';
import { UploadsService } from './uploads.service.js';

function storageOf(settings: Settings, outside?: OutsideCalls): PictureStorage {
  const { bucket, publicUrl } = settings.storage;
  const disk = new DiskStorage(settings);
  const storage = bucket === undefined ? disk : new S3Storage(new S3Bucket(bucket), disk, publicUrl);
  return outside?.around('storage', storage) ?? storage;
}

@Module({
  imports: [repositoriesOf([UploadEntity]), NetModule],
  controllers: [UploadsController, ServedPicturesController],
  providers: [
    UploadsService,
    UploadsRepository,
    DerivedPicturesService,
    UnusedUploads,
    UnusedUploadsRepository,
    Pictures,
    { provide: PictureStorage, inject: [Settings, { token: OutsideCalls, optional: true }], useFactory: storageOf },
    RemoteContent,
    PictureImportService,
    LinkPreviewService,
  ],
  exports: [UploadsService],
})
export class UploadsModule {}
