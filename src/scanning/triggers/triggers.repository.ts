import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';

const insertWithJob = statement(
  'triggers.insert',
  `WITH trigger AS (
     INSERT INTO workflow_triggers (id, organization_id, type, subjects)
     SELECT $1::uuid, $2::uuid, $3::text, $4::jsonb
      WHERE EXISTS (SELECT FROM workflows WHERE organization_id = $2 AND trigger_type = $3 AND enabled)
     RETURNING id
   )
   SELECT j.id FROM trigger t,
     LATERAL graphile_worker.add_job(identifier => $5, payload => json_build_object('triggerId', t.id)) AS j`,
);

@Injectable()
export class TriggersRepository {
  constructor(private readonly database: Database) {}

  /** Writes the trigger and the job that handles it, where any enabled workflow listens. */
  async insert(id: string, organizationId: string, type: string, subjectIds: string[], task: string): Promise<void> {
    await this.database.execute(insertWithJob, [id, organizationId, type, JSON.stringify(subjectIds), task]);
  }
}
