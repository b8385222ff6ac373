import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { TriggersModule } from '../triggers/triggers.module.js';
import { LocationEntity } from './location.entity.js';
import { LocationsController } from './locations.controller.js';
import { LocationsRepository } from './locations.repository.js';
import { LocationsService } from './locations.service.js';

@Module({
  imports: [repositoriesOf([LocationEntity]), TriggersModule],
  controllers: [LocationsController],
  providers: [LocationsService, LocationsRepository],
  exports: [LocationsService],
})
export class LocationsModule {}
