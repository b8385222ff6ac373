import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { Given } from '../../database/filtered-statement.js';
import type { NotedRequestEntity } from './noted-request.entity.js';
import * as statements from './noted-requests.statements.js';

/** A request with the present name of its caller's account. */
export type NotedRequestRow = NotedRequestEntity & { username: string | null };

const append = statement('noted-requests.append', statements.append);
/** How many are removed at once, so that no lock is held for long. */
const batch = 2_000;

@Injectable()
export class NotedRequestsRepository {
  constructor(private readonly database: Database) {}

  /** Appends the rows of a JSON array. */
  async append(rows: string): Promise<void> {
    await this.database.execute(append, [rows]);
  }

  page(
    after: [Date | 'infinity', string],
    limit: number,
    filter: Given<statements.NotedRequestFilter>,
  ): Promise<NotedRequestRow[]> {
    const { statement: page, values } = statements.page.of([...after, limit], filter);
    return this.database.rows<NotedRequestRow>(page, values);
  }

  byRequestId(id: string): Promise<NotedRequestRow | null> {
    return this.database.row<NotedRequestRow>(statements.byRequestId, [id]);
  }

  /** Removes some that are older, or beyond the newest `most`; returns whether there may be more. */
  async removeOld(hours: number, most: number): Promise<boolean> {
    return (await this.database.execute(statements.removeOld, [hours, most, batch])) === batch;
  }
}
