import { Injectable } from '@nestjs/common';
import { everything } from '../common/changes/change-bus.js';
import { Settings } from '../config/settings.js';
import { Changes } from './changes.js';
import { Database } from './database.js';
import { loadDemoData, type Sql } from './demo/demo-loader.js';
import { loadScanningDemo } from './demo/scanning/scanning-loader.js';
import type { ScanningDoor } from './demo/scanning/scanning-door.js';
import { eventTimes } from './demo/scanning/scans.js';
import { UnitOfWork } from './unit-of-work.js';

type SavePicture = (name: string, bytes: Buffer) => Promise<string>;

/** Any number that belongs to this purpose alone. */
const demoLock = 5_284_113_003;

/** An API key as it is kept. */
export interface FirstKey {
  id: string;
  name: string;
  prefix: string;
  hash: string;
}

/** The entry is open once: whoever takes the row away goes in. */
const enter = `
  WITH entry AS (
    DELETE FROM service_state WHERE key = 'demo_entry' RETURNING (value #>> '{}')::uuid AS organization_id
  ), organization AS (
    SELECT id FROM organizations WHERE id = (SELECT organization_id FROM entry)
  ), joined AS (
    INSERT INTO organization_members (organization_id, user_id, role)
    SELECT organization.id, users.id, 'admin' FROM organization, users WHERE users.role = 'admin' AND deleted_at IS NULL
    ON CONFLICT DO NOTHING
  )
  INSERT INTO api_keys (id, organization_id, name, role, prefix, key_hash)
  SELECT $1, organization.id, $2, 'admin', $3, $4 FROM organization`;

/** Demo data: loaded once on a database, and emptied on demand. */
@Injectable()
export class FirstData {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
    private readonly changes: Changes,
  ) {}

  /** Loads the demo data where they are wanted, never were, and nobody keeps a shop; of nodes that start together one does. */
  async loadOnce(savePicture: SavePicture, door: ScanningDoor): Promise<boolean> {
    if (!this.settings.demoData || (await this.isLoaded())) return false;
    const now = new Date();
    // Beforehand, as every writer of events does: months are made in units of work of their own.
    await door.openTimes(eventTimes(now));
    const loaded = await this.unitOfWork.run(async () => {
      await this.database.execute('SELECT pg_advisory_xact_lock($1)', [demoLock]);
      if ((await this.isLoaded()) || (await this.isInUse())) return false;
      await this.load(savePicture, door, now);
      return true;
    });
    // Statistics now, not when autovacuum comes by: without them the first plans read whole tables.
    if (loaded) await this.database.execute('ANALYZE');
    return loaded;
  }

  /** Lets the admins and whoever has this key into the demo's organization, once; answers whether that was now. */
  async enterOnce({ id, name, prefix, hash }: FirstKey): Promise<boolean> {
    return (await this.database.execute(enter, [id, name, prefix, hash])) > 0;
  }

  /** Whether the demo data were loaded here. */
  async isLoaded(): Promise<boolean> {
    return (await this.database.row(`SELECT FROM service_state WHERE key = 'demo_data'`)) !== null;
  }

  /** Empties every table. */
  async empty(): Promise<void> {
    const tables = await this.database.row<{ names: string }>(
      `SELECT string_agg(quote_ident(relname), ', ') AS names FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
          AND relname <> 'migrations'`,
    );
    if (tables) await this.database.execute(`TRUNCATE ${tables.names} RESTART IDENTITY`);
    this.changes.invalidate([everything]);
  }

  /** Whether somebody keeps a shop here already: his products and customers are not to be mixed with the demo's. */
  private async isInUse(): Promise<boolean> {
    const use = await this.database.row<{ found: boolean }>(
      `SELECT EXISTS (SELECT FROM products) OR EXISTS (SELECT FROM users WHERE role <> 'admin')
              OR EXISTS (SELECT FROM organizations) AS found`,
    );
    return use?.found ?? false;
  }

  private async load(savePicture: SavePicture, door: ScanningDoor, now: Date): Promise<void> {
    const sql: Sql = (text, values) => this.database.rows(text, values);
    const { userIds } = await loadDemoData(sql, savePicture, now);
    const { organizationId } = await loadScanningDemo(sql, userIds, door, now);
    await this.database.execute(
      `INSERT INTO service_state (key, value) VALUES ('demo_data', 'true'), ('demo_entry', to_jsonb($1::text))`,
      [organizationId],
    );
    this.changes.invalidate([everything]);
  }
}
