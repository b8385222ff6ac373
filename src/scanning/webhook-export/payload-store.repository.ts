import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';

/** The pieces of frozen payloads. */
@Injectable()
export class PayloadStoreRepository {
  constructor(private readonly database: Database) {}

  async insert(runId: string, root: PayloadRoot, number: number, sealed: Buffer): Promise<void> {
    const sql = 'INSERT INTO workflow_run_payloads (run_id, root, number, sealed) VALUES ($1, $2, $3, $4)';
    await this.database.execute(sql, [runId, root, number, sealed]);
  }

  async piece(runId: string, root: PayloadRoot, number: number): Promise<Buffer | null> {
    const sql = 'SELECT sealed FROM workflow_run_payloads WHERE run_id = $1 AND root = $2 AND number = $3';
    return (await this.database.row<{ sealed: Buffer }>(sql, [runId, root, number]))?.sealed ?? null;
  }

  async remove(runId: string, root: PayloadRoot): Promise<void> {
    await this.database.execute('DELETE FROM workflow_run_payloads WHERE run_id = $1 AND root = $2', [runId, root]);
  }

  async removeAll(runId: string): Promise<void> {
    await this.database.execute('DELETE FROM workflow_run_payloads WHERE run_id = $1', [runId]);
  }
}
