import { Injectable } from '@nestjs/common';
import { uuidV7 } from '../../common/crypto/uuid-v7.js';
import type { EventTriggerType } from '../vocabulary.js';
import { TriggersRepository } from './triggers.repository.js';

/** The ids of what a trigger is about: of the assets, issues, or the one scan, integration or location. */
export interface Trigger {
  organizationId: string;
  type: EventTriggerType;
  subjectIds: string[];
}

/** The task that turns a recorded trigger into the runs of the workflows that listen to it. */
export const triggerTask = 'workflow-trigger';

/** Records triggers in the transaction of the change that caused them, so that neither can be without the other. */
@Injectable()
export class Triggers {
  constructor(private readonly repository: TriggersRepository) {}

  /**
   * Records one trigger for all subjects of one change; nothing where no enabled workflow of the organization listens
   * to its type. Call it inside the unit of work of the change.
   */
  async record({ organizationId, type, subjectIds }: Trigger): Promise<void> {
    if (subjectIds.length > 0) await this.repository.insert(uuidV7(), organizationId, type, subjectIds, triggerTask);
  }
}
