import { assets, daysBefore, named, pullRequest, scans, timesOf } from '@store-service/demo';
import { demoIdAt } from '../demo-ids.js';
import type { Owner } from './estate-rows.js';
import type { PlacedIssue } from './issue-rows.js';

type Ids = ReadonlyMap<string, string>;

/** A branch of a repository, by the asset's name. */
interface PlacedBranch {
  asset: string;
  name: string;
  pullRequest: string | null;
  begin: Date;
  scannedAt: Date;
}

const repositories = new Set(assets.filter((asset) => asset.class === 'REPOSITORY').map(({ name }) => name));

/** The main branch of each repository that was scanned, and a pull request. */
function branches(now: Date): PlacedBranch[] {
  const main = new Map<string, PlacedBranch>();
  for (const scan of scans) {
    const { begin, end } = timesOf(scan, now);
    for (const asset of scan.source ? scan.assets.filter((name) => repositories.has(name)) : []) {
      const name = scan.source?.branch ?? '';
      main.set(asset, { asset, name, pullRequest: null, begin: main.get(asset)?.begin ?? begin, scannedAt: end });
    }
  }
  const at = daysBefore(now, pullRequest.daysAgo);
  const { asset, branch: name, number } = pullRequest;
  return [...main.values(), { asset, name, pullRequest: number, begin: at, scannedAt: at }];
}

export function branchRows({ organizationId, now }: Owner, assetIds: Ids) {
  return branches(now).map((branch) => {
    const decides = branch.pullRequest === null;
    return {
      id: demoIdAt(`branch ${branch.asset} ${branch.name}`, branch.begin, now),
      organization_id: organizationId,
      asset_id: named(assetIds, branch.asset),
      name: branch.name,
      pull_request: branch.pullRequest,
      is_default: decides,
      default_named: false,
      decides,
      created_at: branch.begin,
      opened_at: branch.begin,
      last_scanned_at: branch.scannedAt,
    };
  });
}

type BranchRow = ReturnType<typeof branchRows>[number];

/** On which branches the issues are: what was resolved is there no more. */
export function issueBranchRows(rows: readonly BranchRow[], placed: readonly PlacedIssue[]) {
  return placed.flatMap(({ issue, row, last }) =>
    rows
      .filter(({ asset_id, decides }) => asset_id === row.asset_id && (decides || issue.name === pullRequest.issue))
      .map(({ id, decides, last_scanned_at }) => ({
        issue_id: row.id,
        branch_id: id,
        last_seen_at: decides ? last : last_scanned_at,
        present: issue.status !== 'RESOLVED',
      })),
  );
}
