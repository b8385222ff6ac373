import { Invalid } from '../../platform/errors/invalid.js';
import type { ScanStatus, WorkflowTriggerType } from '../vocabulary.js';
import type { WorkflowConditions } from './workflows.dto.js';

type ConditionName = keyof WorkflowConditions;

const ofIssues: ConditionName[] = ['severities', 'categories', 'issueStatuses', 'viewId'];
const ofAssets: ConditionName[] = ['assetTypes', 'assetClasses', 'tagIds'];
const ofScans: ConditionName[] = ['scanKinds', 'scanStatuses', 'profileIds'];
const ofBranches: ConditionName[] = ['branches'];
const ofAll: ConditionName[] = [...ofIssues, ...ofAssets, ...ofScans, ...ofBranches, 'search'];
const ofAssetTriggers: ConditionName[] = [...ofAssets, 'search'];

/** The conditions that each trigger can meet. A scan that starts has no issues yet. */
const conditionsOf: Record<WorkflowTriggerType, readonly ConditionName[]> = {
  ASSET_FOUND: ofAssetTriggers,
  ASSET_UPDATED: ofAssetTriggers,
  NEW_ISSUE: ofAll,
  ISSUE_UPDATED: ofAll,
  SCAN_STARTED: [...ofAssets, ...ofScans, ...ofBranches, 'search'],
  SCAN_COMPLETED: ofAll,
  SCAN_FAILED: ofAll,
  INTEGRATION_FAILED: ['search'],
  LOCATION_DOWN: ['search'],
  MANUAL: ofAll,
  SCHEDULE: [...ofAll, 'changedSinceLast'],
};

/** The one status that the scan of a trigger has. */
export const scanStatusOf: Partial<Record<WorkflowTriggerType, ScanStatus>> = {
  SCAN_STARTED: 'RUNNING',
  SCAN_COMPLETED: 'FINISHED',
  SCAN_FAILED: 'FAILED',
};

/** A refusal points at the condition, or where that was not sent, at the trigger. */
interface Sent {
  conditions: boolean;
}

function refuse(name: ConditionName, sent: Sent, msg: string): never {
  throw Invalid.at(['body', ...(sent.conditions ? ['conditions', name] : ['trigger', 'type'])], 'value_error', msg);
}

/** Throws `Invalid` for a digest of a trigger that gathers nothing: runs by schedule or hand are about everything. */
export function assertDigests(type: WorkflowTriggerType, actions: { digest?: string | null }[]): void {
  const at = actions.findIndex(({ digest }) => digest);
  if (at < 0 || (type !== 'SCHEDULE' && type !== 'MANUAL')) return;
  const msg = `A digest gathers events, and ${type} has none: remove it, or choose the times by the schedule itself`;
  throw Invalid.at(['body', 'actions', at, 'digest'], 'value_error', msg);
}

/** Throws `Invalid` for a condition that the trigger can never meet; `conditions` has no empty ones. */
export function assertConditions(type: WorkflowTriggerType, conditions: WorkflowConditions, sent: Sent): void {
  const impossible = (Object.keys(conditions) as ConditionName[]).find((name) => !conditionsOf[type].includes(name));
  if (impossible) {
    const possible = conditionsOf[type].join(', ');
    refuse(impossible, sent, `${type} can never meet a condition on ${impossible}, only on ${possible}: remove it`);
  }
  const status = scanStatusOf[type];
  if (status && conditions.scanStatuses && !conditions.scanStatuses.includes(status)) {
    refuse('scanStatuses', sent, `The scan of ${type} is ${status}: remove the condition, or add ${status}`);
  }
}
