import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { TagEntity } from './tag.entity.js';
import { TagsController } from './tags.controller.js';
import { TagsRepository } from './tags.repository.js';
import { TagsService } from './tags.service.js';

@Module({
  imports: [repositoriesOf([TagEntity])],
  controllers: [TagsController],
  providers: [TagsService, TagsRepository],
  exports: [TagsService],
})
export class TagsModule {}
