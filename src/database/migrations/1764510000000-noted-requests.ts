import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  `CREATE TABLE noted_requests (
    id uuid CONSTRAINT noted_requests_pkey PRIMARY KEY,
    created_at timestamptz(3) NOT NULL,
    request_id text NOT NULL,
    method text NOT NULL,
    url text NOT NULL,
    route text NOT NULL,
    status smallint NOT NULL,
    milliseconds integer NOT NULL,
    code text,
    refusal text,
    failure text,
    user_id uuid,
    key_id uuid,
    organization_id uuid,
    address text,
    trace_id text
  )`,
  'CREATE INDEX noted_requests_newest_idx ON noted_requests (created_at DESC, id DESC)',
  'CREATE INDEX noted_requests_request_idx ON noted_requests (request_id)',
  'CREATE INDEX noted_requests_user_idx ON noted_requests (user_id, created_at DESC, id DESC)',
];

/** What became of requests that failed, were refused or were slow. */
export class NotedRequests1764510000000 implements MigrationInterface {
  name = 'NotedRequests1764510000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of statements) await runner.query(sql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}
