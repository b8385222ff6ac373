import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { ProfileEntity } from './profile.entity.js';
import { ProfilesController } from './profiles.controller.js';
import { ProfilesRepository } from './profiles.repository.js';
import { ProfilesService } from './profiles.service.js';

@Module({
  imports: [repositoriesOf([ProfileEntity])],
  controllers: [ProfilesController],
  providers: [ProfilesService, ProfilesRepository],
  exports: [ProfilesService],
})
export class ProfilesModule {}
