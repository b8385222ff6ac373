import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OrganizationRemovals } from '../../platform/removal-steps.js';
import { EventCountsRepository } from './event-counts.repository.js';
import { EventNumbersRepository } from './event-numbers.repository.js';
import { EventWritesRepository } from './event-writes.repository.js';

/** Removes the events of deleted organizations. */
@Injectable()
export class EventRemovals implements OnModuleInit {
  constructor(
    private readonly repository: EventWritesRepository,
    private readonly counts: EventCountsRepository,
    private readonly numbers: EventNumbersRepository,
    private readonly removals: OrganizationRemovals,
  ) {}

  onModuleInit(): void {
    this.removals.add(async (organizationIds) => {
      await this.repository.removeOf(organizationIds);
      await this.counts.removeOf(organizationIds);
      await this.numbers.removeOf(organizationIds);
    });
  }
}
