import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The processes of the service, as they last told of themselves. */
export class Nodes1764510000001 implements MigrationInterface {
  name = 'Nodes1764510000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE nodes (
        id uuid CONSTRAINT nodes_pkey PRIMARY KEY,
        host text NOT NULL,
        pid integer NOT NULL,
        version text NOT NULL,
        started_at timestamptz(3) NOT NULL,
        seen_at timestamptz(3) NOT NULL DEFAULT now(),
        slow_statements jsonb NOT NULL
      )`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
