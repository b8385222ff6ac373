import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { Conflict, found, NotFound } from '../../platform/errors/errors.js';
import { pageOf, startOf } from '../../platform/http/cursor.js';
import { hasMore } from '../../database/bounded-rows.js';
import { listed } from '../../database/filtered-statement.js';
import { refuseViolations } from '../../database/refuse-violations.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { CountedPage } from '../counted-lists.js';
import { searchPattern } from '../search-text.js';
import { TriggersService } from '../triggers/triggers.service.js';
import type { AssetClass } from '../vocabulary.js';
import {
  type AssetDraft,
  type AssetRecord,
  type DetailInputs,
  detailOfClass,
  toRecord,
  uriOf,
  withDetails,
} from './asset-draft.js';
import { type AssetRow, toAsset } from './assets.mapper.js';
import { AssetsRepository } from './assets.repository.js';
import type { Asset, AssetCreate, AssetFilter, AssetUpdate } from './assets.dto.js';

const detailNames = ['service', 'frontend', 'host', 'repository', 'schema'] as const;
const addressTaken = () =>
  new Conflict(
    'The organization already has an asset with this address (uri): use that one, or another uri',
    'asset_exists',
  );
const inUse = () =>
  new Conflict('The asset has scans or issues and cannot be deleted, since they are records', 'asset_in_use');

function assertFit(assetClass: AssetClass, given: DetailInputs): void {
  const fitting = detailOfClass[assetClass];
  const misfit = detailNames.find((name) => given[name] && name !== fitting);
  if (!misfit) return;
  const msg = `An asset of class ${assetClass} has ${fitting ? `the detail ${fitting}` : 'no detail'}, not ${misfit}`;
  throw Invalid.at(['body', misfit], 'value_error', msg);
}

/** An existing asset, or a new one. */
export interface FoundAsset {
  id: string;
  created: boolean;
}

const rounds = 5;

/** The assets that scanners look at. */
@Injectable()
export class AssetsService {
  constructor(
    private readonly repository: AssetsRepository,
    private readonly triggers: TriggersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** A page of the filters' matches, newest first. `Invalid` for a broken cursor. */
  async list(organizationId: string, { size, cursor, total, ...filter }: AssetFilter): Promise<CountedPage<Asset>> {
    const given = {
      types: listed(filter.types),
      classes: listed(filter.classes),
      tagIds: listed(filter.tagIds),
      search: searchPattern(filter.search),
    };
    const rows = await this.repository.page(organizationId, startOf(cursor), size + 1, given);
    const page = await pageOf(rows, size, toAsset, hasMore(rows, size));
    return total ? { ...page, totalCount: await this.repository.total(organizationId, given) } : page;
  }

  /**
   * Makes an asset, which fires ASSET_FOUND. `Invalid` for a detail that does not fit its class, `Conflict` for a taken
   * uri, `NotFound` for an unknown tag.
   */
  create(organizationId: string, { tagIds = [], ...draft }: AssetCreate): Promise<Asset> {
    assertFit(draft.class, draft);
    const record = toRecord(draft);
    return this.unitOfWork.run(async () => {
      const [inserted] = await this.repository.insertNew(organizationId, [record]);
      if (!inserted) throw addressTaken();
      await this.setTags(organizationId, record.id, tagIds);
      await this.triggers.record({ organizationId, type: 'ASSET_FOUND', subjectIds: [record.id] });
      return this.get(organizationId, record.id);
    });
  }

  /** One asset; `NotFound` if there is none. */
  async get(organizationId: string, id: string): Promise<Asset> {
    return toAsset(found(await this.repository.byId(organizationId, id), 'Asset'));
  }

  /**
   * Changes the given fields of an asset, and its uri accordingly; a real change fires ASSET_UPDATED. `NotFound` for an
   * unknown asset or tag, `Invalid` for another class or a detail that does not fit the class, `Conflict` for a taken
   * uri.
   */
  update(organizationId: string, id: string, { tagIds, ...changes }: AssetUpdate): Promise<Asset> {
    return this.unitOfWork.run(async () => {
      if (!(await this.repository.lock(organizationId, id))) throw new NotFound('Asset not found');
      const before = found(await this.repository.byId(organizationId, id), 'Asset');
      const after = changed(before, changes);
      const isChanged = !isDeepStrictEqual(after, recordOf(before));
      if (isChanged) {
        await refuseViolations(this.repository.update(organizationId, after), { assets_uri_key: addressTaken });
      }
      if (tagIds) await this.setTags(organizationId, before.id, tagIds);
      if (isChanged || (tagIds && !hasTags(before, tagIds))) {
        await this.triggers.record({ organizationId, type: 'ASSET_UPDATED', subjectIds: [before.id] });
      }
      return this.get(organizationId, id);
    });
  }

  /**
   * Finds or makes the assets of all drafts and returns them by uri (`uriOf(draft)`); the new ones fire one
   * ASSET_FOUND. Of several drafts with one uri the first counts; existing assets stay as they are. Thousands take two
   * statements.
   */
  findOrCreate(organizationId: string, drafts: AssetDraft[]): Promise<Map<string, FoundAsset>> {
    const records = new Map<string, AssetRecord>();
    for (const record of drafts.map(toRecord)) if (!records.has(record.uri)) records.set(record.uri, record);
    return this.unitOfWork.run(async () => {
      const assets = new Map<string, FoundAsset>();
      // Somebody may delete an asset between the two statements: the next round makes it anew.
      for (let round = 1; assets.size < records.size; round++) {
        if (round > rounds)
          throw new Error('Assets that the report names were deleted again and again while it was read');
        const missing = [...records.values()].filter(({ uri }) => !assets.has(uri));
        for (const [uri, asset] of await this.look(organizationId, missing)) assets.set(uri, asset);
      }
      const subjectIds = [...assets.values()].filter(({ created }) => created).map(({ id }) => id);
      await this.triggers.record({ organizationId, type: 'ASSET_FOUND', subjectIds });
      return assets;
    });
  }

  /** Deletes an asset; `NotFound` if there is none, `Conflict` for one that has scans or issues. */
  async remove(organizationId: string, id: string): Promise<void> {
    const refusals = { scan_assets_asset_id_fkey: inUse, issues_asset_id_fkey: inUse };
    await this.unitOfWork.run(async () => {
      const { name } = found(await this.repository.byId(organizationId, id), 'Asset');
      const removed = await refuseViolations(this.repository.remove(organizationId, id), refusals);
      if (!removed) throw new NotFound('Asset not found');
      await this.audit.record({ action: 'asset.deleted', organizationId, subject: { id, name } });
    });
  }

  private async look(organizationId: string, records: AssetRecord[]): Promise<Map<string, FoundAsset>> {
    // In a fixed order, so that concurrent writers of the same assets wait for each other without a deadlock.
    const ordered = records.toSorted((one, other) => (one.uri < other.uri ? -1 : 1));
    const inserted = await this.repository.insertNew(organizationId, ordered);
    const assets = new Map(inserted.map(({ id, uri }) => [uri, { id, created: true }]));
    const others = ordered.map(({ uri }) => uri).filter((uri) => !assets.has(uri));
    if (others.length === 0) return assets;
    for (const { id, uri } of await this.repository.byUris(organizationId, others)) {
      assets.set(uri, { id, created: false });
    }
    return assets;
  }

  private async setTags(organizationId: string, assetId: string, tagIds: string[]): Promise<void> {
    const wanted = [...new Set(tagIds.map((id) => id.toLowerCase()))];
    const present = await this.repository.setTags(organizationId, assetId, wanted);
    const missing = wanted.find((id) => !present.includes(id));
    if (missing !== undefined) throw new NotFound(`Tag not found: ${missing}`);
  }
}

function recordOf({ id, name, type, class: assetClass, uri, sourceUrl, ...row }: AssetRow): AssetRecord {
  const { service, frontend, host, repository, schema } = row;
  return { id, name, type, class: assetClass, uri, sourceUrl, service, frontend, host, repository, schema };
}

function changed(before: AssetRow, { class: given, ...changes }: Omit<AssetUpdate, 'tagIds'>): AssetRecord {
  // Unspecified: whether an asset may change its class. The class is part of its uri, so it may not.
  if (given !== undefined && given !== before.class) {
    throw Invalid.at(
      ['body', 'class'],
      'value_error',
      'The class of an asset cannot change: create another asset',
      given,
    );
  }
  assertFit(before.class, changes);
  const { name = before.name, type = before.type, sourceUrl = before.sourceUrl } = changes;
  const after = { ...recordOf(before), name, type, sourceUrl, ...withDetails(before, changes) };
  return { ...after, uri: uriOf(after) };
}

function hasTags({ tags }: AssetRow, tagIds: string[]): boolean {
  const wanted = new Set(tagIds.map((id) => id.toLowerCase()));
  return wanted.size === tags.length && tags.every(({ id }) => wanted.has(id));
}
