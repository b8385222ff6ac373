import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';

/** Looks for the trigger, which distributed tables cannot have. */
const look = statement(
  'event-servers.look',
  `SELECT NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = 'scan_events'::regclass AND tgname = 'scan_events_added')
     AS "areSeveral"`,
);

/** Whether events are spread over several servers, which plan each statement anew and refuse some. */
@Injectable()
export class EventServersRepository implements OnModuleInit {
  private several = false;

  constructor(private readonly database: Database) {}

  get areSeveral(): boolean {
    return this.several;
  }

  async onModuleInit(): Promise<void> {
    await this.look();
  }

  /** Looks again: somebody may have spread them after the start. */
  async look(): Promise<boolean> {
    this.several = (await this.database.one<{ areSeveral: boolean }>(look)).areSeveral;
    return this.several;
  }
}
