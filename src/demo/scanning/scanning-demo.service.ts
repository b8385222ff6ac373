import { Injectable } from '@nestjs/common';
import {
  companyName,
  daysBefore,
  demoEvents,
  demoShopper,
  eventTimes,
  members,
  named,
  partner,
} from '@store-service/demo';
import { IntegrationSecrets } from '../../scanning/integrations/integration-secrets.js';
import { EventAppendsService } from '../../scanning/scan-events/event-appends.service.js';
import { EventPartitionsService } from '../../scanning/scan-events/event-partitions.service.js';
import { ActionSecrets } from '../../scanning/workflows/action-secrets.js';
import { daysToAnswer } from '../../scanning/organizations/days-to-answer.js';
import { demoId, demoIdAt } from '../demo-ids.js';
import { DemoRowsRepository } from '../demo-rows.repository.js';
import type { DemoOrganization } from './demo-exports.service.js';
import { branchRows, issueBranchRows } from './branch-rows.js';
import * as estate from './estate-rows.js';
import * as found from './issue-rows.js';
import * as scanned from './scan-rows.js';

const foundedDaysAgo = 61;

function idsByName(rows: readonly { id: string; name: string }[]): Map<string, string> {
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** The demo's organization: its things, its scans with their events, and its issues. */
@Injectable()
export class ScanningDemoService {
  constructor(
    private readonly rows: DemoRowsRepository,
    private readonly integrationSecrets: IntegrationSecrets,
    private readonly actionSecrets: ActionSecrets,
    private readonly partitions: EventPartitionsService,
    private readonly appends: EventAppendsService,
  ) {}

  /** Makes the partitions of the events. Call it before the unit of work that loads, as every writer of events does. */
  prepare(now: Date): Promise<void> {
    return this.partitions.prepare(eventTimes(now));
  }

  /**
   * Writes the organization, once, in a unit of work, and returns it. `userIds` are the ids of the shop's users by
   * their usernames in the demo.
   */
  async load(userIds: ReadonlyMap<string, string>, now: Date): Promise<DemoOrganization> {
    const owner = { organizationId: demoIdAt('organization', daysBefore(now, foundedDaysAgo), now), now };
    await this.insertOrganization(owner, userIds);
    await this.insertPartner(owner, userIds);
    const ids = await this.insertEstate(owner, userIds);
    await this.rows.insert('scans', scanned.scanRows(ids, now));
    await this.rows.insert('scan_assets', scanned.scanAssetRows(ids));
    const events = demoEvents(now);
    const issues = found.placeIssues(events, ids.scans, ids.assets, now);
    await this.rows.insert('issues', found.issueRows(issues, owner.organizationId, userIds, now));
    await this.insertThreats(owner);
    await this.rows.insert('issue_details', found.detailRows(issues));
    const branches = branchRows(owner, ids.assets);
    await this.rows.insert('branches', branches);
    await this.rows.insert('issue_branches', issueBranchRows(branches, issues));
    await this.rows.insert('issue_scans', found.issueScanRows(issues));
    await this.rows.insert('issue_targets', found.targetRows(issues));
    await this.rows.insert('issue_activities', found.activityRows(issues, owner.organizationId, userIds, now));
    for (const { scan, events: own } of scanned.eventsByScan(events, ids, issues)) await this.appends.write(scan, own);
    return { owner, ids, issues };
  }

  /** Before the identifiers of issues, which are rated as they are written. */
  private async insertThreats(owner: estate.Owner) {
    const { feeds, scores, exploited } = estate.threatRows(owner);
    await this.rows.insert('epss_scores', scores);
    await this.rows.insert('known_exploited', exploited);
    await this.rows.insert('threat_feeds', feeds);
  }

  private async insertOrganization({ organizationId, now }: estate.Owner, userIds: ReadonlyMap<string, string>) {
    const row = { id: organizationId, name: companyName, scoped_webhook_export_payload: false };
    await this.rows.insert('organizations', [{ ...row, created_at: daysBefore(now, foundedDaysAgo) }]);
    const joined = members.map(({ username, role }, number) => {
      const created_at = daysBefore(now, foundedDaysAgo - number);
      return { organization_id: organizationId, user_id: named(userIds, username), role, created_at };
    });
    await this.rows.insert('organization_members', joined);
  }

  /** The organizations invite as of the present moment, so that the invitations can be answered for two weeks. */
  private async insertPartner({ organizationId, now }: estate.Owner, userIds: ReadonlyMap<string, string>) {
    const [id, admin, shopper] = [
      demoIdAt('partner', now, now),
      named(userIds, partner.admin),
      named(userIds, demoShopper.username),
    ];
    await this.rows.insert('organizations', [
      { id, name: partner.name, scoped_webhook_export_payload: false, created_at: now, created_by: admin },
    ]);
    await this.rows.insert('organization_members', [
      { organization_id: id, user_id: admin, role: 'admin', created_at: now },
    ]);
    const invited = { role: 'member', created_at: now, expires_at: daysBefore(now, -daysToAnswer) };
    await this.rows.insert('organization_invitations', [
      {
        id: demoId('invitation of the shopper'),
        organization_id: id,
        user_id: shopper,
        email: null,
        invited_by: admin,
        ...invited,
      },
      {
        id: demoId('invitation of a stranger'),
        organization_id: organizationId,
        user_id: null,
        email: 'sofia.rossi@example.com',
        ...invited,
      },
    ]);
  }

  /** Writes the organization's things, and returns all ids by name that its scans need. */
  private async insertEstate(
    owner: estate.Owner,
    userIds: ReadonlyMap<string, string>,
  ): Promise<scanned.KnownIds & DemoOrganization['ids']> {
    const [profiles, tags, locations] = [estate.profileRows(owner), estate.tagRows(owner), estate.locationRows(owner)];
    const [assets, workflows] = [estate.assetRows(owner), estate.workflowRows(owner)];
    await this.rows.insert('profiles', profiles);
    await this.rows.insert('tags', tags);
    await this.rows.insert('issue_views', estate.viewRows(owner));
    await this.rows.insert('issue_policies', [estate.policyRow(owner)]);
    await this.rows.insert('issue_default_assignees', estate.defaultAssigneeRows(owner, idsByName(tags), userIds));
    await this.rows.insert('locations', locations);
    await this.rows.insert('integrations', estate.integrationRows(owner, this.integrationSecrets));
    await this.rows.insert('assets', assets);
    await this.rows.insert('asset_tags', estate.assetTagRows(idsByName(assets), idsByName(tags)));
    await this.rows.insert('workflows', workflows);
    const actions = estate.actionRows(workflows, owner, this.actionSecrets);
    await this.rows.insert('workflow_actions', actions);
    return {
      organization: owner.organizationId,
      profiles: idsByName(profiles),
      locations: idsByName(locations),
      assets: idsByName(assets),
      scans: scanned.scanIdsAt(owner.now),
      workflows: idsByName(workflows),
      actions: new Map(workflows.map(({ name }, number) => [name, actions[number]?.id ?? ''])),
    };
  }
}
