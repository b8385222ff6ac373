import { NotFound } from '../../platform/errors/errors.js';
import type { ScanContext } from '../scans/scan-context.js';
import type { EventRow } from './event-rows.js';
import type { EventWritesRepository } from './event-writes.repository.js';

const maxRemembered = 50_000;
const columns = { assets: 'asset_ids', issues: 'issue_ids' } as const;
const names = { assets: 'Asset', issues: 'Issue' } as const;
type Table = keyof typeof columns;

/** Ensures that the events of one request name only assets and issues of their organization. */
export class EventReferences {
  private readonly known: Record<Table, Set<string>>;
  private readonly unseen: Record<Table, Map<string, number>> = { assets: new Map(), issues: new Map() };

  constructor(
    private readonly repository: Pick<EventWritesRepository, 'foreign'>,
    private readonly scan: ScanContext,
  ) {
    this.known = { assets: new Set(scan.assetIds), issues: new Set() };
  }

  /** Collects the ids that an event names; one statement then looks up those of many events. */
  note(row: EventRow, index: number): void {
    for (const table of ['assets', 'issues'] as const) {
      for (const id of row[columns[table]]) {
        if (!this.known[table].has(id) && !this.unseen[table].has(id)) this.unseen[table].set(id, index);
      }
    }
  }

  /** Throws `NotFound` for the first id since the last call that is not the organization's. */
  async assertOwn(): Promise<void> {
    for (const table of ['assets', 'issues'] as const) await this.assertOwnIn(table);
  }

  private async assertOwnIn(table: Table): Promise<void> {
    const unseen = this.unseen[table];
    if (unseen.size === 0) return;
    const foreign = await this.repository.foreign(table, this.scan.organizationId, [...unseen.keys()]);
    if (foreign !== null) {
      const place = `element ${unseen.get(foreign)} names it`;
      throw new NotFound(`${names[table]} ${foreign} not found: ${place}, but the organization does not have it`);
    }
    if (this.known[table].size > maxRemembered) this.known[table].clear();
    for (const id of unseen.keys()) this.known[table].add(id);
    unseen.clear();
  }
}
