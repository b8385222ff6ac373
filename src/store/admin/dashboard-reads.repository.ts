import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Database, type Statement } from '../../database/database.js';
import { adminReaders } from '../../replicas/reader-keys.js';
import { ReplicaReads } from '../../replicas/replica-reads.js';

/** Runs the reads of the dashboards on a replica that has everything admins wrote, else on the primary. */
@Injectable()
export class DashboardReadsRepository {
  constructor(
    private readonly database: Database,
    private readonly replicas: ReplicaReads,
  ) {}

  rows<Row extends QueryResultRow>(sql: Statement, values: unknown[]): Promise<Row[]> {
    const atPrimary = () => this.database.rows<Row>(sql, values);
    return this.replicas.rows<Row>({ key: adminReaders, kind: 'list', sql, values, atPrimary });
  }
}
