import { Injectable } from '@nestjs/common';
import { Database } from './database.js';

/** Sealed by an installation before it kept a check value: any of them says as much. */
const anySecret = `
  (SELECT totp_secret AS sealed, 'totp:' || id AS place FROM users WHERE totp_secret IS NOT NULL LIMIT 1)
  UNION ALL (SELECT parameters_sealed, 'integration:' || id FROM integrations LIMIT 1)
  UNION ALL (SELECT parameters_sealed, 'workflow-action:' || id FROM workflow_actions LIMIT 1)
  LIMIT 1`;

/** A sealed text, and the place that it was sealed for. */
export interface SealedText {
  sealed: string;
  place: string;
}

/** The text that was sealed with the key of the data. */
@Injectable()
export class KeyCheckRepository {
  constructor(private readonly database: Database) {}

  /** What is kept under `name`, else any sealed secret; null where nothing is sealed. */
  async sealed(name: string): Promise<SealedText | null> {
    const kept = await this.database.row<SealedText>(
      `SELECT value #>> '{}' AS sealed, key AS place FROM service_state WHERE key = $1`,
      [name],
    );
    return kept ?? this.database.row<SealedText>(anySecret);
  }

  /** Keeps the text under `name`, unless another node was faster. */
  async keep(name: string, sealed: string): Promise<void> {
    await this.database.execute(
      `INSERT INTO service_state (key, value) VALUES ($1, to_jsonb($2::text)) ON CONFLICT (key) DO NOTHING`,
      [name, sealed],
    );
  }
}
