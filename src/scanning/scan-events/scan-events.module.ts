import { Module } from '@nestjs/common';
import { ScansModule } from '../scans/scans.module.js';
import { EventAppendsController } from './event-appends.controller.js';
import { EventAllowance } from './event-allowance.js';
import { EventAppends } from './event-appends.service.js';
import { EventPartitionsRepository } from './event-partitions.repository.js';
import { EventPartitions } from './event-partitions.service.js';
import { EventWritesRepository } from './event-writes.repository.js';
import { ScanEventsController } from './scan-events.controller.js';
import { ScanEventsRepository } from './scan-events.repository.js';
import { ScanEventsService } from './scan-events.service.js';

@Module({
  imports: [ScansModule],
  controllers: [ScanEventsController, EventAppendsController],
  providers: [
    ScanEventsService,
    ScanEventsRepository,
    EventAllowance,
    EventAppends,
    EventWritesRepository,
    EventPartitions,
    EventPartitionsRepository,
  ],
  exports: [EventAllowance, EventAppends, EventPartitions],
})
export class ScanEventsModule {}
