import type { EventTriggerType, WorkflowTriggerType } from '../vocabulary.js';
import { assetMatches, issueMatches, nameMatches, triggeringScanMatches } from './conditions.statements.js';
import { type PayloadRoot, payloadRoots } from './payload-roots.js';

export interface Subject {
  table: 'assets' | 'issues' | 'scans' | 'integrations' | 'locations';
  matches: (row: string, conditions: string) => string;
}

const asset: Subject = { table: 'assets', matches: assetMatches };
const issue: Subject = { table: 'issues', matches: issueMatches };
const scan: Subject = { table: 'scans', matches: triggeringScanMatches };

/** The resources that the ids of each type of trigger identify. */
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

const rootsOfSubject: Record<Subject['table'], readonly PayloadRoot[]> = {
  issues: ['issues', 'assets', 'scans', 'profiles'],
  assets: ['assets'],
  scans: ['issues', 'assets', 'scans', 'profiles', 'locations'],
  integrations: ['integrations'],
  locations: ['locations'],
};

/** The roots that a trigger fills. */
export function rootsOf(trigger: WorkflowTriggerType): readonly PayloadRoot[] {
  return trigger === 'MANUAL' || trigger === 'SCHEDULE' ? payloadRoots : rootsOfSubject[subjectOf[trigger].table];
}
