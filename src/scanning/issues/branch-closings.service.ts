import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { BranchesService } from '../branches/branches.service.js';
import type { BranchesClose, BranchesClosed } from '../branches/branches.dto.js';
import { TriggersService } from '../triggers/triggers.service.js';
import { IssueBranchesService } from './issue-branches.service.js';

// Unspecified: after how long a branch that nobody scans counts as deleted, and how long a closed one is listed.
const silentDays = 30;
const keptDays = 30;
const atOnce = 100;

/** Closes branches that were merged or deleted: the issues that only they had are gone. */
@Injectable()
export class BranchClosingsService implements OnModuleInit {
  constructor(
    private readonly branches: BranchesService,
    private readonly issues: IssueBranchesService,
    private readonly triggers: TriggersService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    this.jobs.registerRecurring({
      name: 'silent-branches',
      everySeconds: 3_600,
      deadlineSeconds: 1_800,
      handler: ({ signal }) => this.closeSilent(signal),
    });
  }

  /**
   * Closes the open branches of a name, which waits for imports that are running; none is an error, since a pipeline may
   * close what was never scanned. `Conflict` where it is the default branch.
   */
  close(organizationId: string, named: BranchesClose): Promise<BranchesClosed> {
    return this.unitOfWork.run(async () => {
      const open = await this.branches.toClose(organizationId, named);
      const ids = open.map(({ id }) => id);
      await this.branches.lockAssets(
        organizationId,
        open.map(({ assetId }) => assetId),
      );
      const closedIds = await this.branches.close(organizationId, ids);
      const resolved = await this.end(organizationId, closedIds, `The branch ${named.name} was closed`);
      const [first] = closedIds;
      if (first !== undefined) {
        const subject = { id: first, name: named.name };
        await this.audit.record({ action: 'branch.closed', organizationId, subject });
      }
      return { closed: closedIds.length, resolved };
    });
  }

  /** Closes the branches that nobody has scanned for thirty days, and forgets those that were closed as long ago. */
  async closeSilent(signal?: AbortSignal): Promise<void> {
    for (let more = true; more;) {
      signal?.throwIfAborted();
      const silent = await this.branches.silent(silentDays, atOnce);
      const closed = await this.unitOfWork.run(async () => {
        let count = 0;
        for (const organizationId of new Set(silent.map((branch) => branch.organizationId))) {
          const own = silent.filter((branch) => branch.organizationId === organizationId);
          await this.branches.lockAssets(
            organizationId,
            own.map(({ assetId }) => assetId),
          );
          const ids = own.map(({ id }) => id);
          const closedIds = await this.branches.close(organizationId, ids, silentDays);
          await this.end(organizationId, closedIds, `Nobody has scanned the branch for ${silentDays} days`);
          count += closedIds.length;
        }
        return count;
      });
      more = silent.length === atOnce && closed > 0;
    }
    for (let removed = 1; removed > 0;) {
      signal?.throwIfAborted();
      removed = await this.branches.removeClosed(keptDays, 10 * atOnce);
    }
  }

  private async end(organizationId: string, branchIds: string[], comment: string): Promise<number> {
    const resolvedIds = await this.issues.end(organizationId, branchIds, comment);
    await this.triggers.record({ organizationId, type: 'ISSUE_UPDATED', subjectIds: resolvedIds });
    return resolvedIds.length;
  }
}
