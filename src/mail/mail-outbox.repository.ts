import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { moveMails } from './mail.statements.js';

/** The mails on their way into the job queue. */
@Injectable()
export class MailOutboxRepository {
  constructor(private readonly database: Database) {}

  /** Moves up to `most` mails into the job queue and returns their number. */
  move(most: number): Promise<number> {
    return this.database.execute(moveMails, [most]);
  }
}
