import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { ImportResult } from './reports.dto.js';

/** The Idempotency-Key of an import, and a digest of its input. */
export interface ImportKey {
  organizationId: string;
  key: string;
  hash: string;
}

export interface StoredImport {
  hash: string;
  response: ImportResult;
}

const lifetime = `interval '24 hours'`;

const lock = statement(
  'import-keys.lock',
  `SELECT pg_try_advisory_xact_lock(hashtextextended('import-key:' || $1::text || ':' || $2, 0)) AS free`,
);

export const storedImport = statement(
  'import-keys.stored',
  `SELECT request_hash AS hash, response FROM import_keys
    WHERE organization_id = $1 AND key = $2 AND created_at > now() - ${lifetime}`,
);

/** Takes the place of an expired answer, and sweeps some others. */
const keep = statement(
  'import-keys.keep',
  `WITH swept AS (
     DELETE FROM import_keys WHERE (organization_id, key) IN (
       SELECT organization_id, key FROM import_keys
        WHERE created_at <= now() - ${lifetime} AND (organization_id, key) <> ($1::uuid, $2::text)
        ORDER BY created_at LIMIT 10 FOR UPDATE SKIP LOCKED))
   INSERT INTO import_keys AS k (organization_id, key, request_hash, response) VALUES ($1, $2, $3, $4)
   ON CONFLICT (organization_id, key) DO UPDATE
      SET request_hash = excluded.request_hash, response = excluded.response, created_at = now()
    WHERE k.created_at <= now() - ${lifetime}`,
);

@Injectable()
export class ImportKeysRepository {
  constructor(private readonly database: Database) {}

  /** Locks the key until the unit of work ends; false if another import of it is running, on any node. */
  async lock({ organizationId, key }: ImportKey): Promise<boolean> {
    return (await this.database.one<{ free: boolean }>(lock, [organizationId, key])).free;
  }

  /** The answer stored under the key, or null. */
  stored({ organizationId, key }: ImportKey): Promise<StoredImport | null> {
    return this.database.row<StoredImport & Record<string, unknown>>(storedImport, [organizationId, key]);
  }

  /** Stores an answer under the key; false if another one is already stored there. */
  async keep({ organizationId, key, hash }: ImportKey, response: ImportResult): Promise<boolean> {
    return (await this.database.execute(keep, [organizationId, key, hash, JSON.stringify(response)])) === 1;
  }
}
