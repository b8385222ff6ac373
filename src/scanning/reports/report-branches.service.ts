import { Injectable } from '@nestjs/common';
import { ScannedBranchesService } from '../issues/scanned-branches.service.js';
import type { Sighting } from '../scans/scan-context.js';
import { ImportOutcomesRepository } from './import-outcomes.repository.js';
import type { ImportQuery } from './import-query.dto.js';
import { scopeOf } from './report-scope.js';

/** A tool of a report and the assets that its part is about. */
export interface ToolAssets {
  name: string;
  category: string;
  assetIds: string[];
}

/** The branch that a report is of. */
export interface ReportBranch {
  /** For each tool, where its findings are seen. */
  sightings: Sighting[][];
  /** The issues whose status changed since another branch is the default one now. */
  movedIds: string[];
}

/** Finds the branch that a report is of, on each of its assets. */
@Injectable()
export class ReportBranchesService {
  constructor(
    private readonly branches: ScannedBranchesService,
    private readonly reports: ImportOutcomesRepository,
  ) {}

  /** Waits until no other import into these assets is running on any node. */
  lockAssets(organizationId: string, assetIds: string[]): Promise<void> {
    return this.branches.lockAssets(organizationId, assetIds);
  }

  /**
   * Records in the current unit of work that the branch of the query is scanned, before the findings are written.
   * `QuotaExceeded` where the organization has too many branches.
   */
  async of(organizationId: string, query: ImportQuery, tools: ToolAssets[]): Promise<ReportBranch> {
    const { branch: name, defaultBranch = null, pullRequest = null } = query;
    const assetIds = [...new Set(tools.flatMap((tool) => tool.assetIds))].sort();
    const named = name === undefined ? null : { name, defaultName: defaultBranch, pullRequest };
    const { ofAsset, movedIds } = await this.branches.scanned(organizationId, assetIds, named);
    const sightings: Sighting[][] = [];
    // A report has few tools, each with its own earlier reports.
    for (const tool of tools) {
      const late = await this.lateAssets(organizationId, query, tool);
      const own = tool.assetIds.map((assetId) => {
        const branch = ofAsset.get(assetId);
        return { assetId, branchId: branch?.id ?? null, decides: branch?.decides ?? true, late: late.has(assetId) };
      });
      sightings.push(own.filter(({ branchId, late: isLate }) => branchId !== null || isLate));
    }
    return { sightings, movedIds };
  }

  /** The assets of which the scope has a report of a newer commit. */
  private async lateAssets(
    organizationId: string,
    { committedAt, branch, category }: ImportQuery,
    tool: ToolAssets,
  ): Promise<Set<string>> {
    if (committedAt === undefined) return new Set();
    const { scope } = scopeOf(tool.name, category, tool.category, branch);
    return new Set(await this.reports.newerAssets(organizationId, scope, new Date(committedAt), tool.assetIds));
  }
}
