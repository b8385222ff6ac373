import { Module } from '@nestjs/common';
import { IdLookupsController } from './id-lookups.controller.js';
import { IdLookupsRepository } from './id-lookups.repository.js';
import { IdLookupsService } from './id-lookups.service.js';

@Module({ controllers: [IdLookupsController], providers: [IdLookupsService, IdLookupsRepository] })
export class IdLookupsModule {}
