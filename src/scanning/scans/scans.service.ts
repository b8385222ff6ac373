import { Injectable, type OnModuleInit } from '@nestjs/common';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Conflict, found, NotFound } from '../../platform/errors/errors.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { pageOf, startOf } from '../../platform/http/cursor.js';
import { OrganizationRemovals } from '../../platform/removal-steps.js';
import { Changes } from '../../database/changes.js';
import { listed } from '../../database/filtered-statement.js';
import { refuseViolations } from '../../database/refuse-violations.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { arrivalsOf } from '../arrival-tags.js';
import { BranchesService } from '../branches/branches.service.js';
import { type CountedPage, timeOf } from '../counted-lists.js';
import { TriggersService } from '../triggers/triggers.service.js';
import type { EventTriggerType, ScanStatus } from '../vocabulary.js';
import type { ScanContext } from './scan-context.js';
import { type ScanRow, type ScanSources, ScansRepository } from './scans.repository.js';
import type { ResourceScan, ScanCreate, ScanFilter, ScanUpdate } from './scans.dto.js';

const next: Record<ScanStatus, readonly ScanStatus[]> = {
  STARTING: ['RUNNING', 'FAILED', 'CANCELED'],
  RUNNING: ['FINISHED', 'FAILED', 'CANCELED'],
  FINISHED: [],
  FAILED: [],
  CANCELED: [],
};

/** Whether a scan has ended: its status is final. */
function isFinal(status: ScanStatus): boolean {
  return next[status].length === 0;
}

/** Whether a scan may go from one status to another. */
function mayBecome(from: ScanStatus, to: ScanStatus): boolean {
  return next[from].includes(to);
}

/** The statuses that a scan may move to, in words. */
function movesInWords(from: ScanStatus): string {
  return isFinal(from) ? 'that is final' : `it can become ${next[from].join(', ')}`;
}

const triggerOf: Partial<Record<ScanStatus, EventTriggerType>> = {
  RUNNING: 'SCAN_STARTED',
  FINISHED: 'SCAN_COMPLETED',
  FAILED: 'SCAN_FAILED',
};

const deletedMeanwhile = () =>
  new NotFound('The profile, the location or an asset of the scan was deleted a moment ago: send others');

const reasonWithoutFailure = (reason: string) =>
  Invalid.at(['body', 'failureReason'], 'value_error', 'Send the reason together with the status FAILED', reason);

/** The scans of an organization, from their start to one of three ends. */
@Injectable()
export class ScansService implements OnModuleInit {
  constructor(
    private readonly repository: ScansRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly triggers: TriggersService,
    private readonly branches: BranchesService,
    private readonly removals: OrganizationRemovals,
    private readonly changes: Changes,
  ) {}

  onModuleInit(): void {
    this.removals.add((organizationIds) => this.repository.removeOf(organizationIds));
  }

  /** A page of the organization's scans, newest first. `Invalid` for a broken cursor. */
  async list(
    organizationId: string,
    { size, cursor, total, ...filter }: ScanFilter,
  ): Promise<CountedPage<ResourceScan>> {
    const given = {
      statuses: listed(filter.statuses),
      kinds: listed(filter.kinds),
      profileIds: listed(filter.profileIds),
      assetIds: listed(filter.assetIds),
      branch: filter.branch,
      commit: filter.commit,
      pullRequest: filter.pullRequest,
      tool: filter.tool,
      since: timeOf(filter.since),
      until: timeOf(filter.until),
    };
    const rows = await this.repository.page(organizationId, startOf(cursor), size + 1, given);
    const page = await pageOf(rows, size, (scan) => scan);
    return total ? { ...page, totalCount: await this.repository.total(organizationId, given) } : page;
  }

  /** One scan; `NotFound` where the organization has none. */
  async get(organizationId: string, id: string): Promise<ResourceScan> {
    return found(await this.repository.byId(organizationId, id), 'Scan');
  }

  /** The facts about a scan that appending to it needs; `NotFound` where the organization has none. */
  async contextOf(organizationId: string, id: string): Promise<ScanContext> {
    return found(await this.repository.contextOf(organizationId, id), 'Scan');
  }

  /** Makes a scan that a scanner reports by itself, in any status, as `create` does. */
  async start(organizationId: string, scan: ScanCreate): Promise<ResourceScan> {
    const { assetIds = [], branch = null, commit = null, pullRequest = null } = scan;
    const decides = branch === null || (await this.branches.wouldDecide(assetIds, branch, pullRequest));
    return this.create(organizationId, scan, { ...noSources, branch, commit, pullRequest, branchOnly: !decides });
  }

  /**
   * Makes a scan, in any status, and records the trigger of that status. `NotFound` where the organization has no such
   * profile, location or asset.
   */
  async create(organizationId: string, scan: ScanCreate, sources: ScanSources): Promise<ResourceScan> {
    const row = toRow(organizationId, scan, sources);
    return this.unitOfWork.run(async () => {
      await this.assertReferences(row);
      await refuseViolations(this.repository.insert(row), {
        scans_application_id_fkey: deletedMeanwhile,
        scans_location_id_fkey: deletedMeanwhile,
        scan_assets_asset_id_fkey: deletedMeanwhile,
      });
      await this.announce(organizationId, row.id, row.status);
      this.changes.invalidate([arrivalsOf(organizationId)]);
      return this.get(organizationId, row.id);
    });
  }

  /**
   * Changes a scan's status or progress; `NotFound` where the organization has none, `Conflict` where the status is final or
   * cannot become the new one, `Invalid` for a reason without the failure.
   */
  async update(organizationId: string, id: string, changes: ScanUpdate): Promise<ResourceScan> {
    return this.unitOfWork.run(async () => {
      const from = found(await this.repository.statusForUpdate(organizationId, id), 'Scan');
      const { status = from, progressRatio, failureReason = null } = changes;
      if (failureReason !== null && changes.status !== 'FAILED') throw reasonWithoutFailure(failureReason);
      if (changes.status !== undefined || progressRatio !== undefined) {
        assertMove(from, status);
        await this.repository.update(organizationId, id, {
          status,
          progressRatio: status === 'FINISHED' ? 1 : (progressRatio ?? null),
          finished: isFinal(status),
          failureReason,
        });
        if (status !== from) await this.announce(organizationId, id, status);
        this.changes.invalidate([arrivalsOf(organizationId)]);
      }
      return this.get(organizationId, id);
    });
  }

  /** Cancels a scan; `NotFound` where the organization has none, `Conflict` where its status is final. */
  cancel(organizationId: string, id: string): Promise<ResourceScan> {
    return this.update(organizationId, id, { status: 'CANCELED' });
  }

  private async assertReferences(row: ScanRow): Promise<void> {
    const missing = await this.repository.missing(row);
    if (missing.profile)
      throw new NotFound('Profile not found: applicationId should be the id of a profile of the organization');
    if (missing.location)
      throw new NotFound('Location not found: locationId should be the id of a location of the organization');
    if (missing.assetId)
      throw new NotFound(`Asset ${missing.assetId} not found: assetIds should be ids of assets of the organization`);
  }

  /** CANCELED and STARTING have no trigger. */
  private async announce(organizationId: string, id: string, status: ScanStatus): Promise<void> {
    const type = triggerOf[status];
    if (type) await this.triggers.record({ organizationId, type, subjectIds: [id] });
  }
}

const noSources: ScanSources = {
  branch: null,
  commit: null,
  pullRequest: null,
  tool: null,
  toolVersion: null,
  failureReason: null,
  branchOnly: false,
};

function toRow(
  organizationId: string,
  { applicationId, kind, status, ...scan }: ScanCreate,
  sources: ScanSources,
): ScanRow {
  return {
    id: uuidV7(),
    organizationId,
    applicationId,
    kind,
    status,
    locationId: scan.locationId ?? null,
    progressRatio: status === 'FINISHED' ? 1 : 0,
    finished: isFinal(status),
    assetIds: [...new Set((scan.assetIds ?? []).map((assetId) => assetId.toLowerCase()))],
    sources,
  };
}

/**
 * Unspecified: a move to the present status. Allowed, since scanners may repeat it with their progress, but not for a final
 * one: of two that finish a scan one is refused.
 */
function assertMove(from: ScanStatus, to: ScanStatus): void {
  if (mayBecome(from, to) || (from === to && !isFinal(from))) return;
  throw new Conflict(`The scan is ${from}: ${movesInWords(from)}`, 'impossible_transition');
}
