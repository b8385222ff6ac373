import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { TriggersModule } from '../triggers/triggers.module.js';
import { AssetTagEntity } from './asset-tag.entity.js';
import { AssetEntity } from './asset.entity.js';
import { AssetsController } from './assets.controller.js';
import { AssetsRepository } from './assets.repository.js';
import { AssetsService } from './assets.service.js';

@Module({
  imports: [repositoriesOf([AssetEntity, AssetTagEntity]), TriggersModule],
  controllers: [AssetsController],
  providers: [AssetsService, AssetsRepository],
  exports: [AssetsService],
})
export class AssetsModule {}
