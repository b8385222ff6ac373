import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { FilteredStatement, type Given } from '../../database/filtered-statement.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';
import type { Branch } from './branches.dto.js';
import { usualDefaults } from './usual-defaults.js';

/** A scanned branch, as a caller names it. */
export interface NamedBranch {
  name: string;
  /** The default branch of the assets, if the caller says. */
  defaultName: string | null;
  pullRequest: string | null;
}

export interface OpenBranch {
  id: string;
  assetId: string;
  isDefault: boolean;
}

/** A branch that nobody scans any more. */
export interface SilentBranch {
  id: string;
  organizationId: string;
  assetId: string;
}

/** The branch of one asset. */
export interface AssetBranch {
  id: string;
  assetId: string;
  decides: boolean;
}

/** The locks of an organization's assets: some assets share one, so that a report about thousands takes no more than these. */
const assetLocks = 64;

const lockAssets = statement(
  'branches.lock-assets',
  `SELECT count(pg_advisory_xact_lock(key)) FROM (
     SELECT DISTINCT hashtextextended('report-import:' || $1::text || ':' || abs(hashtext(asset::text) % ${assetLocks}), 0) AS key
       FROM unnest($2::uuid[]) AS asset ORDER BY key) AS keys`,
);

const filters = {
  search: (pattern: string) => `b.name ILIKE ${pattern}`,
  assetIds: (values: string) => `b.asset_id = ANY(${values}::uuid[])`,
  open: 'b.closed_at IS NULL',
  closed: 'b.closed_at IS NOT NULL',
};
export type BranchFilters = Given<keyof typeof filters>;

const page = new FilteredStatement(
  'branches.page',
  filters,
  (conditions) =>
    `SELECT b.id, b.name, b.asset_id AS "assetId", a.name AS "assetName", b.is_default AS "default",
            b.pull_request AS "pullRequest", b.created_at AS "createdAt", b.last_scanned_at AS "lastScannedAt",
            b.closed_at AS "closedAt"
       FROM branches b JOIN assets a ON a.id = b.asset_id
      WHERE b.organization_id = $1 AND (b.created_at, b.id) < ($2, $3)${conditions}
      ORDER BY b.created_at DESC, b.id DESC LIMIT $4`,
);

/** The open branches of a name, of the asset $3 or of all. */
const openOfName = statement(
  'branches.open-of-name',
  `SELECT id, asset_id AS "assetId", is_default AS "isDefault" FROM branches
    WHERE organization_id = $1 AND name = $2 AND closed_at IS NULL AND ($3::uuid IS NULL OR asset_id = $3)
    ORDER BY asset_id`,
);

/** Default branches stay, which may have been chosen meanwhile; and what was scanned in the last $3 days, if they are given. */
const close = statement(
  'branches.close',
  `UPDATE branches SET closed_at = now()
    WHERE organization_id = $1 AND id = ANY($2::uuid[]) AND closed_at IS NULL AND NOT is_default
      AND ($3::integer IS NULL OR NOT decides AND last_scanned_at < now() - $3::integer * interval '1 day')
   RETURNING id`,
);

/** Some of the branches that nobody has scanned for $1 days and whose issues are not the organization's. */
const silent = statement(
  'branches.silent',
  `SELECT id, organization_id AS "organizationId", asset_id AS "assetId" FROM branches
    WHERE closed_at IS NULL AND NOT decides AND last_scanned_at < now() - $1::integer * interval '1 day' ORDER BY last_scanned_at LIMIT $2`,
);

const removeClosed = statement(
  'branches.remove-closed',
  `DELETE FROM branches WHERE id IN (SELECT id FROM branches WHERE closed_at < now() - $1::integer * interval '1 day' ORDER BY closed_at LIMIT $2)`,
);

/** A branch that is named again is open again. */
const name = statement(
  'branches.name',
  `INSERT INTO branches AS b (id, organization_id, asset_id, name, pull_request, last_scanned_at)
   SELECT n.id, $1, n.asset_id, n.name, n.pull_request, CASE WHEN n.scanned THEN now() END
     FROM json_to_recordset($2::json) AS n(id uuid, asset_id uuid, name text, pull_request text, scanned boolean)
    ORDER BY n.asset_id, n.name
   ON CONFLICT (asset_id, name) DO UPDATE
      SET last_scanned_at = coalesce(excluded.last_scanned_at, b.last_scanned_at), closed_at = NULL,
          opened_at = CASE WHEN b.closed_at IS NULL THEN b.opened_at ELSE now() END,
          pull_request = coalesce(excluded.pull_request, b.pull_request)
   RETURNING b.id, b.xmax = 0 AS added`,
);

/** The default branch of each of the assets $1: $2, else the one that was named last, else the first of the usual names $3. */
const chosen = `
  SELECT DISTINCT ON (asset_id) asset_id, id FROM branches
   WHERE asset_id = ANY($1::uuid[]) AND closed_at IS NULL
     AND CASE WHEN $2::text IS NULL THEN default_named OR name = ANY($3::text[]) ELSE name = $2 END
   ORDER BY asset_id, default_named DESC, array_position($3::text[], name)`;

/** An asset has one default branch at most: the earlier one gives way first. */
const endDefaults = statement(
  'branches.end-defaults',
  `UPDATE branches SET is_default = false, default_named = false
    WHERE asset_id = ANY($1::uuid[]) AND (is_default OR default_named) AND id NOT IN (SELECT id FROM (${chosen}) AS c)`,
);

const settle = statement(
  'branches.settle',
  `WITH chosen AS MATERIALIZED (${chosen}), next AS (
     SELECT b.id, coalesce(b.id = c.id, false) AS is_default,
            CASE WHEN c.id IS NULL THEN b.pull_request IS NULL ELSE b.id = c.id END AS decides
       FROM branches b LEFT JOIN chosen c USING (asset_id) WHERE b.asset_id = ANY($1::uuid[])
   )
   UPDATE branches b
      SET is_default = n.is_default, decides = n.decides, default_named = n.is_default AND (b.default_named OR $2 IS NOT NULL)
     FROM next n
    WHERE n.id = b.id AND (b.is_default <> n.is_default OR b.decides <> n.decides
                           OR n.is_default AND $2 IS NOT NULL AND NOT b.default_named)
   RETURNING b.id`,
);

/** Whoever closes the branches waits until the unit of work ends. */
const ofName = statement(
  'branches.of-name',
  `SELECT id, asset_id AS "assetId", decides FROM branches
    WHERE asset_id = ANY($1::uuid[]) AND name = $2 ORDER BY id FOR SHARE`,
);

const defaultNames = statement(
  'branches.default-names',
  `SELECT DISTINCT name FROM branches WHERE asset_id = ANY($1::uuid[]) AND is_default ORDER BY name LIMIT 1000`,
);

/** Without a default branch, all decide but those of pull requests, as `settle` has it. */
const wouldDecide = statement(
  'branches.would-decide',
  `SELECT coalesce(bool_or(coalesce(
            (SELECT b.name = $2 FROM branches b WHERE b.asset_id = asset AND b.is_default), $3)), $3) AS decides
     FROM unnest($1::uuid[]) AS asset`,
);

const count = statement('branches.count', countUpTo('branches WHERE organization_id = $1 AND closed_at IS NULL'));

@Injectable()
export class BranchesRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
  ) {}

  page(organizationId: string, after: unknown[], limit: number, given: BranchFilters): Promise<Branch[]> {
    const { statement: sql, values } = page.of([organizationId, ...after, limit], given);
    return this.database.rows<Branch & Record<string, unknown>>(sql, values);
  }

  /**
   * Waits until no other import into these assets is running on any node, whatever its profile: each batch locks its issues in
   * their order, but the batches of two reports may have the same ones in another order. No issue is of two assets.
   */
  async lockAssets(organizationId: string, assetIds: string[]): Promise<void> {
    await this.database.execute(lockAssets, [organizationId, assetIds]);
  }

  openOfName(organizationId: string, branch: string, assetId: string | null): Promise<OpenBranch[]> {
    return this.database.rows<OpenBranch & Record<string, unknown>>(openOfName, [organizationId, branch, assetId]);
  }

  /** Closes those of the branches that are open and no default, and not scanned for so many days; returns their ids. */
  async close(organizationId: string, ids: string[], silentDays: number | null): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(close, [organizationId, ids, silentDays]);
    return rows.map(({ id }) => id);
  }

  silent(days: number, most: number): Promise<SilentBranch[]> {
    return this.database.rows<SilentBranch & Record<string, unknown>>(silent, [days, most]);
  }

  /** Removes some of the branches that were closed so many days ago; returns how many. */
  removeClosed(days: number, most: number): Promise<number> {
    return this.database.execute(removeClosed, [days, most]);
  }

  /** Writes that these assets have the branch, and the default branch if the caller names it. */
  async name(organizationId: string, assetIds: string[], branch: NamedBranch): Promise<void> {
    const { name: scanned, defaultName, pullRequest } = branch;
    const rows = assetIds.flatMap((assetId) => {
      const own = { id: uuidV7(), asset_id: assetId, name: scanned, pull_request: pullRequest, scanned: true };
      if (defaultName === null || defaultName === scanned) return [own];
      return [own, { ...own, id: uuidV7(), name: defaultName, pull_request: null, scanned: false }];
    });
    const write = () => this.database.rows<{ added: boolean }>(name, [organizationId, JSON.stringify(rows)]);
    await this.stockQuotas.within('branches', organizationId, count, write, (written) =>
      written.some(({ added }) => added),
    );
  }

  /** Chooses the default branches of assets; returns the branches that now decide, or no longer do. */
  async settle(assetIds: string[], defaultName: string | null): Promise<string[]> {
    const values = [assetIds, defaultName, usualDefaults];
    await this.database.execute(endDefaults, values);
    return (await this.database.rows<{ id: string }>(settle, values)).map(({ id }) => id);
  }

  /** The branch of this name of each asset. */
  ofName(assetIds: string[], branch: string): Promise<AssetBranch[]> {
    return this.database.rows<AssetBranch & Record<string, unknown>>(ofName, [assetIds, branch]);
  }

  /** Whether the branch decides, or would, for some of the assets. */
  async wouldDecide(assetIds: string[], branch: string, pullRequest: string | null): Promise<boolean> {
    const isUsual = (usualDefaults as readonly string[]).includes(branch);
    const values = [assetIds, branch, pullRequest === null || isUsual];
    return (await this.database.one<{ decides: boolean }>(wouldDecide, values)).decides;
  }

  /** The names of the assets' default branches. */
  async defaultNames(assetIds: string[]): Promise<string[]> {
    const rows = await this.database.rows<{ name: string }>(defaultNames, [assetIds]);
    return rows.map((row) => row.name);
  }
}
