import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { ScanContext } from '../scans/scan-context.js';
import { ScansService } from '../scans/scans.service.js';
import type { Finding } from './finding-rows.js';
import { readFindings } from './issue-append-body.js';
import type { IssueAppendResult } from './issue-append.dto.js';
import { type AppendedFindings, IssueAppendsService } from './issue-appends.service.js';
import { ScannedBranchesService } from './scanned-branches.service.js';

/** Appends the issues that scanners send to their scans. */
@Injectable()
export class ScanFindingsService {
  constructor(
    private readonly scans: ScansService,
    private readonly appends: IssueAppendsService,
    private readonly branches: ScannedBranchesService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Appends the issues in the body of a request, all or none, to a scan in any status, since scanners report late.
   * `NotFound` for a scan or asset of another organization; `QuotaExceeded` for too many branches; `Invalid`, `PayloadTooLarge`, `UnsupportedMediaType` for the body.
   */
  async append(organizationId: string, scanId: string, request: IncomingMessage): Promise<IssueAppendResult> {
    const scan = await this.scans.contextOf(organizationId, scanId);
    const findings = await readFindings(request);
    const { branch } = scan;
    const { issues, createdIds } = await (branch
      ? this.appendOnBranch(scan, branch, findings)
      : this.appends.append(scan, findings));
    return { created: createdIds.length, seen: issues.length - createdIds.length, issues };
  }

  private appendOnBranch(scan: ScanContext, name: string, findings: Finding[]): Promise<AppendedFindings> {
    const { organizationId, pullRequest = null } = scan;
    return this.unitOfWork.run(async () => {
      await this.appends.assertAssets(organizationId, findings);
      const assetIds = [...new Set(findings.map(({ assetId }) => assetId.toLowerCase()))].sort();
      await this.branches.lockAssets(organizationId, assetIds);
      const named = { name, defaultName: null, pullRequest };
      const { ofAsset, movedIds } = await this.branches.scanned(organizationId, assetIds, named);
      const sightings = [...ofAsset].map(([assetId, { id, decides }]) => ({
        assetId,
        branchId: id,
        decides,
        late: false,
      }));
      const appended = await this.appends.append({ ...scan, sightings }, findings);
      await this.appends.announce(organizationId, { announcedIds: [], updatedIds: movedIds, assigneeIds: [] });
      return appended;
    });
  }
}
