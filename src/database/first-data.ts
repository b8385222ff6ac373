import { Injectable } from '@nestjs/common';
import { everything } from '../common/changes/change-bus.js';
import { Settings } from '../config/settings.js';
import { Changes } from './changes.js';
import { Database } from './database.js';
import { loadDemoData } from './demo/demo-loader.js';
import { UnitOfWork } from './unit-of-work.js';

type SavePicture = (name: string, bytes: Buffer) => Promise<string>;

/** Any number that belongs to this purpose alone. */
const demoLock = 5_284_113_002;

/** Demo data: loaded once on a database, and emptied on demand. */
@Injectable()
export class FirstData {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
    private readonly changes: Changes,
  ) {}

  /** Loads the demo data where they are wanted and never were; of nodes that start together one does. */
  async loadOnce(savePicture: SavePicture): Promise<boolean> {
    if (!this.settings.demoData || (await this.isLoaded())) return false;
    const loaded = await this.unitOfWork.run(async () => {
      await this.database.execute('SELECT pg_advisory_xact_lock($1)', [demoLock]);
      if (await this.isLoaded()) return false;
      await loadDemoData((sql, values) => this.database.rows(sql, values), savePicture, new Date());
      await this.database.execute(`INSERT INTO service_state (key, value) VALUES ('demo_data', 'true')`);
      this.changes.touch([everything]);
      return true;
    });
    // Statistics now, not when autovacuum comes by: without them the first plans read whole tables.
    if (loaded) await this.database.execute('ANALYZE');
    return loaded;
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
    this.changes.touch([everything]);
  }
}
