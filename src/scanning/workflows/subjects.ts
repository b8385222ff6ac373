import type { EventTriggerType } from '../vocabulary.js';
import { assetMatches, issueMatches, nameMatches, scanMatches } from './conditions-sql.js';

export interface Subject {
  table: 'assets' | 'issues' | 'scans' | 'integrations' | 'locations';
  matches: (row: string, conditions: string) => string;
}

const asset: Subject = { table: 'assets', matches: assetMatches };
const issue: Subject = { table: 'issues', matches: issueMatches };
const scan: Subject = { table: 'scans', matches: scanMatches };

/** What the ids of each kind of trigger name. */
export const subjectOf: Record<EventTriggerType, Subject> = {
  ASSET_FOUND: asset,
  ASSET_UPDATED: asset,
  NEW_ISSUE: issue,
  ISSUE_UPDATED: issue,
  SCAN_STARTED: scan,
  SCAN_COMPLETED: scan,
  SCAN_FAILED: scan,
  INTEGRATION_FAILED: { table: 'integrations', matches: nameMatches },
  LOCATION_DOWN: { table: 'locations', matches: nameMatches },
};
