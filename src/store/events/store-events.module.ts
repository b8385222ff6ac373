import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { EventFeed } from './event-feed.js';
import { StoreEventEntity } from './store-event.entity.js';
import { StoreEventsController } from './store-events.controller.js';
import { StoreEventsRepository } from './store-events.repository.js';
import { StoreSchemasController } from './store-schemas.controller.js';
import { StoreEventsService } from './store-events.service.js';

@Module({
  imports: [repositoriesOf([StoreEventEntity])],
  controllers: [StoreEventsController, StoreSchemasController],
  providers: [StoreEventsService, StoreEventsRepository, EventFeed],
  exports: [StoreEventsService, EventFeed],
})
export class StoreEventsModule {}
