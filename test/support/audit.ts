import type { TestApp } from './test-app.js';

/** An entry as it is stored. */
export interface StoredEntry {
  log_id: string;
  action: string;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string | null;
  subject_type: string;
  subject_id: string;
  subject_name: string | null;
  changes: Record<string, unknown>;
  address: string | null;
  device: string | null;
  request_id: string | null;
}

/** Runs `work` and returns the entries that were added to the audit log meanwhile, oldest first. */
export async function auditedBy(app: TestApp, work: () => Promise<unknown>): Promise<StoredEntry[]> {
  const all = () => app.database.rows<StoredEntry>('SELECT * FROM audit_entries ORDER BY created_at, id');
  const before = (await all()).length;
  await work();
  return (await all()).slice(before);
}
