import { uuidV7 } from '../../src/platform/crypto/uuid-v7.js';
import { IntegrationSecrets } from '../../src/scanning/integrations/integration-secrets.js';
import { TriggersService } from '../../src/scanning/triggers/triggers.service.js';
import type { EventTriggerType } from '../../src/scanning/vocabulary.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import type { TestApp } from './test-app.js';

type Columns = Record<string, unknown>;

/**
 * Writes rows of an organization's things: for tests of code that reads and sends them, which need states, times and
 * quantities that the API does not produce. Each method returns the id. `Scanning` makes things over HTTP instead.
 */
export class ScanningRows {
  constructor(
    private readonly app: TestApp,
    private readonly organizationId: string,
  ) {}

  profile(columns: Columns = {}): Promise<string> {
    return this.insert('profiles', { name: 'Shop API', scanner_kind: 'BLST_REST', type: 'REST', ...columns });
  }

  tag(columns: Columns = {}): Promise<string> {
    return this.insert('tags', { name: `tag ${uuidV7()}`, color: '#ff0000', ...columns });
  }

  location(columns: Columns = {}): Promise<string> {
    const own = { name: 'Berlin', type: 'PRIVATE', target: 'gateway.internal', ip: '10.0.0.1', region: 'eu-central' };
    return this.insert('locations', { ...own, ...columns });
  }

  async integration(parameters: Record<string, unknown>, columns: Columns = {}): Promise<string> {
    const id = uuidV7();
    const sealed = this.app.nest.get(IntegrationSecrets, { strict: false }).seal(id, parameters);
    return this.insert('integrations', { id, name: 'AWS', kind: 'AWS', parameters_sealed: sealed, ...columns });
  }

  async asset(columns: Columns = {}, tagIds: string[] = []): Promise<string> {
    const id = uuidV7();
    const own = { name: 'shop.example.com', type: 'WEBAPP', class: 'FRONTEND', uri: `asset://frontend/${id}` };
    await this.insert('assets', { id, ...own, ...columns });
    await this.app.database.rows('INSERT INTO asset_tags (asset_id, tag_id) SELECT $1, unnest($2::uuid[])', [
      id,
      tagIds,
    ]);
    return id;
  }

  async scan(applicationId: string, columns: Columns = {}, assetIds: string[] = []): Promise<string> {
    const own = { application_id: applicationId, kind: 'FRONTEND_DAST', status: 'RUNNING', progress_ratio: 0.5 };
    const id = await this.insert('scans', { ...own, ...columns });
    const link = 'INSERT INTO scan_assets (scan_id, asset_id) SELECT $1, unnest($2::uuid[])';
    await this.app.database.rows(link, [id, assetIds]);
    return id;
  }

  async issue(assetId: string, columns: Columns = {}): Promise<string> {
    const id = typeof columns['id'] === 'string' ? columns['id'] : uuidV7();
    const own = { name: 'SQL injection', full_name: 'SQL injection (high risk)', severity: 'HIGH', status: 'OPEN' };
    const uids = { alert_uid: `alert-${id}`, security_test_uid: 'sqli', identity: id };
    await this.insert('issues', {
      id,
      asset_id: assetId,
      category: 'INJECTION',
      context: 'in q',
      ...own,
      ...uids,
      ...columns,
    });
    if (columns['scan_id']) {
      await this.app.database.rows('INSERT INTO issue_scans (issue_id, scan_id) VALUES ($1, $2)', [
        id,
        columns['scan_id'],
      ]);
    }
    return id;
  }

  async target(issueId: string, detail: Record<string, unknown>, scanId: string | null = null): Promise<string> {
    const id = uuidV7();
    const sql = 'INSERT INTO issue_targets (id, issue_id, target_uid, scan_id, detail) VALUES ($1, $2, $3, $4, $5)';
    await this.app.database.rows(sql, [id, issueId, `target-${id}`, scanId, detail]);
    return id;
  }

  async event(scanId: string, profileId: string, columns: Columns = {}): Promise<string> {
    await this.app.database.rows(partitionForAll);
    const own = {
      title: 'Request sent',
      description: 'GET /',
      level: 'INFO',
      stage: 'EXECUTION',
      created_at: new Date(),
    };
    const lists = { asset_ids: [], issue_ids: [], attachments: [], attachment_types: [], attachment_text: '' };
    const id = uuidV7();
    const row = { id, ...own, ...lists, ...columns };
    await this.app.database.rows('SELECT append_events($1, $2, $3, $4::json)', [
      this.organizationId,
      scanId,
      profileId,
      JSON.stringify([row]),
    ]);
    return row.id;
  }

  /** Records a trigger as the modules do, in a unit of work. */
  async trigger(type: EventTriggerType, ...subjectIds: string[]): Promise<void> {
    const triggers = this.app.nest.get(TriggersService, { strict: false });
    const { organizationId } = this;
    await this.app.nest.get(UnitOfWork).run(() => triggers.record({ organizationId, type, subjectIds }));
  }

  private async insert(table: string, columns: Columns): Promise<string> {
    const row = { id: uuidV7(), organization_id: this.organizationId, ...columns };
    const names = Object.keys(row);
    const places = names.map((_, index) => `$${index + 1}`);
    await this.app.database.rows(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`,
      Object.values(row),
    );
    return row.id;
  }
}

/** A partition that takes every event, unless there is one. */
const partitionForAll = `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_inherits WHERE inhparent = 'scan_events'::regclass) THEN
      CREATE TABLE scan_events_all PARTITION OF scan_events DEFAULT;
    END IF;
  END $$`;
