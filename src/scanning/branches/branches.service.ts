import { Injectable } from '@nestjs/common';
import { Conflict } from '../../platform/errors/errors.js';
import { type Page, pageOf, startOf } from '../../platform/http/cursor.js';
import { listed } from '../../database/filtered-statement.js';
import { containing } from '../../database/like-pattern.js';
import { toBranch } from './branches.mapper.js';
import {
  type AssetBranch,
  BranchesRepository,
  type NamedBranch,
  type OpenBranch,
  type SilentBranch,
} from './branches.repository.js';
import type { Branch, BranchesClose, BranchFilter } from './branches.dto.js';

/** The branches that a scan is of, and those whose role changed by it. */
export interface ScannedBranches {
  branches: AssetBranch[];
  /** The branches that decide since now, or no longer do: their issues have to follow. */
  changedIds: string[];
}

/** The branches of assets. */
@Injectable()
export class BranchesService {
  constructor(private readonly repository: BranchesRepository) {}

  /**
   * Records in the current unit of work that a branch of these assets is scanned: it is open from now on, and nobody closes
   * it before the unit ends. `QuotaExceeded` where the organization has too many.
   */
  async scanned(organizationId: string, assetIds: string[], branch: NamedBranch): Promise<ScannedBranches> {
    if (assetIds.length === 0) return { branches: [], changedIds: [] };
    await this.repository.name(organizationId, assetIds, branch);
    const changedIds = await this.repository.settle(assetIds, branch.defaultName);
    return { branches: await this.repository.ofName(assetIds, branch.name), changedIds };
  }

  /**
   * Whether what a scan of the branch finds is the organization's for some of these assets, as far as is known before it is
   * scanned.
   */
  wouldDecide(assetIds: string[], branch: string, pullRequest: string | null): Promise<boolean> {
    return this.repository.wouldDecide(assetIds, branch, pullRequest);
  }

  /** A page of the organization's branches, newest first. `Invalid` for a broken cursor. */
  async list(organizationId: string, filter: BranchFilter): Promise<Page<Branch>> {
    const { size, cursor, search, state } = filter;
    const given = {
      search: search ? containing(search) : undefined,
      assetIds: listed(filter.assetIds),
      open: state === 'OPEN' ? true : undefined,
      closed: state === 'CLOSED' ? true : undefined,
    };
    return pageOf(await this.repository.page(organizationId, startOf(cursor), size + 1, given), size, toBranch);
  }

  /** The open branches of a name that may be closed. `Conflict` where it is the default branch of every asset that has it. */
  async toClose(organizationId: string, { name, assetId }: BranchesClose): Promise<OpenBranch[]> {
    const open = await this.repository.openOfName(organizationId, name, assetId ?? null);
    const others = open.filter(({ isDefault }) => !isDefault);
    if (others.length > 0 || open.length === 0) return others;
    const sentence = 'This is the default branch: import a report with another defaultBranch first';
    throw new Conflict(sentence, 'default_branch');
  }

  /** Waits until no other import into these assets is running on any node, and nobody is closing a branch of them. */
  lockAssets(organizationId: string, assetIds: string[]): Promise<void> {
    return this.repository.lockAssets(organizationId, assetIds);
  }

  /** Closes those of the branches that are still open; with a number of days, only if nobody scanned them for so long. Returns their ids. */
  close(organizationId: string, ids: string[], silentDays: number | null = null): Promise<string[]> {
    return this.repository.close(organizationId, ids, silentDays);
  }

  /** Some of the branches that nobody has scanned for so many days, longest first; never a default branch. */
  silent(days: number, most: number): Promise<SilentBranch[]> {
    return this.repository.silent(days, most);
  }

  /** Removes some of the branches that were closed so many days ago; returns how many. */
  removeClosed(days: number, most: number): Promise<number> {
    return this.repository.removeClosed(days, most);
  }

  /** The names of the default branches of these assets. */
  defaultNames(assetIds: string[]): Promise<string[]> {
    return this.repository.defaultNames(assetIds);
  }
}
