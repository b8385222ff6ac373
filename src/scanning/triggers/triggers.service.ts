import { Injectable } from '@nestjs/common';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import type { EventTriggerType } from '../vocabulary.js';
import { type RecordedTrigger, TriggersRepository } from './triggers.repository.js';

/** The ids of a trigger's subjects: assets, issues, or the one scan, integration or location. */
export interface Trigger {
  organizationId: string;
  type: EventTriggerType;
  subjectIds: string[];
}

/** Records triggers in the transaction of the change that caused them, so that neither exists without the other. */
@Injectable()
export class TriggersService {
  constructor(private readonly repository: TriggersRepository) {}

  /**
   * Records one trigger for all subjects of one change; does nothing where no enabled workflow of the organization
   * listens to its type. Call it inside the unit of work of the change.
   */
  async record({ organizationId, type, subjectIds }: Trigger): Promise<void> {
    if (subjectIds.length > 0) await this.repository.insert(uuidV7(), organizationId, type, subjectIds);
  }

  /** A recorded trigger, or null if it is already handled; locks it until the unit of work ends. */
  lock(id: string): Promise<RecordedTrigger | null> {
    return this.repository.lock(id);
  }

  /** Removes a handled trigger. */
  remove(id: string): Promise<void> {
    return this.repository.remove(id);
  }
}
