import type { TestApp } from './test-app.js';

/** Leaves a request that was refused, as the service notes it. */
export async function noteRequest({ database }: TestApp, id: string): Promise<void> {
  await database.rows(
    `INSERT INTO noted_requests (id, created_at, request_id, method, url, route, status, milliseconds, code, refusal)
     VALUES (gen_random_uuid(), now(), $1, 'POST', '/api/v1/cart/add', '/api/v1/cart/add', 409, 12,
             'insufficient_stock', 'Only 2 of Linen Shirt are left')`,
    [id],
  );
}

/** Leaves a job of the task that was given up after all of its tries. */
export async function giveUpJob({ database }: TestApp, task: string): Promise<void> {
  await database.rows(
    `SELECT graphile_worker.permanently_fail_jobs(
       ARRAY[(graphile_worker.add_job($1, '{}')).id], 'The printer is on fire')`,
    [task],
  );
}
