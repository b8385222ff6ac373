import { Injectable } from '@nestjs/common';
import type { AssetBranch, NamedBranch } from '../branches/branches.repository.js';
import { BranchesService } from '../branches/branches.service.js';
import { IssueBranchesService } from './issue-branches.service.js';

/** The branch of each scanned asset. */
export interface ScannedBranch {
  ofAsset: Map<string, AssetBranch>;
  /** The issues whose status changed since another branch is the default one now. */
  movedIds: string[];
}

/** Records which branches are scanned, and lets issues follow the default ones. */
@Injectable()
export class ScannedBranchesService {
  constructor(
    private readonly branches: BranchesService,
    private readonly issues: IssueBranchesService,
  ) {}

  /** Waits until no other import into these assets is running on any node. */
  lockAssets(organizationId: string, assetIds: string[]): Promise<void> {
    return this.branches.lockAssets(organizationId, assetIds);
  }

  /**
   * Records in the current unit of work that a branch of these assets is scanned, before the findings are written.
   * `QuotaExceeded` where the organization has too many branches.
   */
  async scanned(organizationId: string, assetIds: string[], branch: NamedBranch | null): Promise<ScannedBranch> {
    if (branch === null) return { ofAsset: new Map(), movedIds: [] };
    const { branches, changedIds } = await this.branches.scanned(organizationId, assetIds, branch);
    const comment = `The default branch is ${(await this.branches.defaultNames(assetIds)).join(', ')} now`;
    const movedIds = await this.issues.follow(organizationId, changedIds, comment);
    return { ofAsset: new Map(branches.map((one) => [one.assetId, one])), movedIds };
  }
}
