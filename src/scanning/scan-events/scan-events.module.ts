import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { ScansModule } from '../scans/scans.module.js';
import { EventAppendsController } from './event-appends.controller.js';
import { EventAllowance } from './event-allowance.js';
import { EventCountsRepository } from './event-counts.repository.js';
import { EventAppendsService } from './event-appends.service.js';
import { EventBatchEntity } from './event-batch.entity.js';
import { EventFeed } from './event-feed.js';
import { EventFollowers } from './event-followers.js';
import { EventNumbersRepository } from './event-numbers.repository.js';
import { EventNumbersService } from './event-numbers.service.js';
import { EventPartitionsService } from './event-partitions.service.js';
import { EventPositionEntity } from './event-position.entity.js';
import { EventRemovals } from './event-removals.js';
import { EventStreamController } from './event-stream.controller.js';
import { EventStreamRepository } from './event-stream.repository.js';
import { EventServersRepository } from './event-servers.repository.js';
import { EventStreamsService } from './event-streams.service.js';
import { EventWritesRepository } from './event-writes.repository.js';
import { ScanChangesRepository } from './scan-changes.repository.js';
import { ScanEventCountEntity } from './scan-event-count.entity.js';
import { ScanEventEntity } from './scan-event.entity.js';
import { ScanEventsController } from './scan-events.controller.js';
import { ScanEventsRepository } from './scan-events.repository.js';
import { ScanEventsService } from './scan-events.service.js';

@Module({
  imports: [
    repositoriesOf([ScanEventEntity, ScanEventCountEntity, EventBatchEntity, EventPositionEntity]),
    ScansModule,
  ],
  // The stream before the events: its path would pass for an event's id.
  controllers: [EventStreamController, ScanEventsController, EventAppendsController],
  providers: [
    ScanEventsService,
    ScanEventsRepository,
    EventAllowance,
    EventAppendsService,
    EventWritesRepository,
    EventCountsRepository,
    EventNumbersRepository,
    EventNumbersService,
    EventPartitionsService,
    EventRemovals,
    EventServersRepository,
    EventStreamsService,
    EventFollowers,
    EventFeed,
    EventStreamRepository,
    ScanChangesRepository,
  ],
  exports: [EventAllowance, EventAppendsService, EventPartitionsService, ScanEventsService],
})
export class ScanEventsModule {}
