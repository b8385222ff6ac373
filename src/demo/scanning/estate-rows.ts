import {
  assets,
  chatUrl,
  daysBefore,
  integrations,
  locations,
  named,
  policy,
  profiles,
  receiverSecret,
  receiverUrl,
  tags,
  threats,
  workflows,
} from '@store-service/demo';
import { demoId, demoIdAt } from '../demo-ids.js';
import { toRecord } from '../../scanning/assets/asset-draft.js';
import type { IntegrationSecrets } from '../../scanning/integrations/integration-secrets.js';
import type { ActionSecrets } from '../../scanning/workflows/action-secrets.js';

type Ids = ReadonlyMap<string, string>;

const addedDaysAgo = 60;

/** The organization's things were added one after the other, so that newest first is an order. */
function added(kind: string, { organizationId, now }: Owner, number: number) {
  const moment = daysBefore(now, addedDaysAgo - number / 24);
  return { id: demoIdAt(`${kind} ${number}`, moment, now), organization_id: organizationId, created_at: moment };
}

export interface Owner {
  organizationId: string;
  now: Date;
}

export function profileRows(owner: Owner) {
  return profiles.map(({ name, scannerKind, type }, number) => {
    const row = added('profile', owner, number);
    return { ...row, name, scanner_kind: scannerKind, type, updated_at: row.created_at };
  });
}

export function tagRows(owner: Owner) {
  return tags.map((tag, number) => ({ ...added('tag', owner, number), ...tag }));
}

/** What people open every morning. */
const views = [
  { name: 'Serious and open', filter: { severities: ['CRITICAL', 'HIGH'], statuses: ['OPEN'] }, sort: 'severity' },
  { name: 'Overdue', filter: { overdue: true }, sort: 'due' },
];

export function viewRows(owner: Owner) {
  return views.map((view, number) => {
    const row = added('view', owner, number);
    return { ...row, ...view, shared: true, updated_at: row.created_at };
  });
}

export function locationRows(owner: Owner) {
  return locations.map((location, number) => ({ ...added('location', owner, number), ...location }));
}

export function integrationRows(owner: Owner, secrets: IntegrationSecrets) {
  return integrations.map(({ name, kind, valid, parameters }, number) => {
    const row = added('integration', owner, number);
    const sealed = secrets.seal(row.id, parameters);
    return { ...row, name, kind, valid, parameters_sealed: sealed, updated_at: row.created_at };
  });
}

export function assetRows(owner: Owner) {
  return assets.map((asset, number) => {
    const { sourceUrl, ...record } = toRecord(asset);
    return { ...record, source_url: sourceUrl, ...added('asset', owner, number) };
  });
}

export function assetTagRows(assetIds: Ids, tagIds: Ids) {
  return assets.flatMap((asset) =>
    asset.tags.map((tag) => ({ asset_id: assetIds.get(asset.name), tag_id: tagIds.get(tag) })),
  );
}

export function workflowRows(owner: Owner) {
  return workflows.map(({ name, enabled, trigger, cron, timeZone, conditions }, number) => {
    const row = added('workflow', owner, number);
    const columns = { name, enabled, trigger_type: trigger, cron, time_zone: timeZone, conditions };
    return { ...row, ...columns, updated_at: row.created_at };
  });
}

export function policyRow({ organizationId, now }: Owner) {
  const { critical, high, medium } = policy.days;
  const days = { critical_days: critical, high_days: high, medium_days: medium };
  return { organization_id: organizationId, ...days, updated_at: now };
}

export function defaultAssigneeRows({ organizationId }: Owner, tagIds: Ids, userIds: Ids) {
  return policy.assignees.map(({ tag, username }, position) => ({
    organization_id: organizationId,
    tag_id: named(tagIds, tag),
    user_id: named(userIds, username),
    position,
  }));
}

/** What EPSS and KEV say, as if the feeds had been read now. */
export function threatRows({ now }: Owner) {
  const [epss, kev] = [demoId('EPSS'), demoId('KEV')];
  const exploited = threats.filter(({ exploitedSince }) => exploitedSince !== undefined);
  const read = { published_at: daysBefore(now, 1), read_at: now };
  return {
    feeds: [
      { kind: 'EPSS', generation: epss, ...read, entries: threats.length },
      { kind: 'KEV', generation: kev, ...read, entries: exploited.length },
    ],
    scores: threats.map(({ cve, epss: score, percentile }) => ({ generation: epss, cve, epss: score, percentile })),
    exploited: exploited.map(({ cve, exploitedSince }) => ({
      generation: kev,
      cve,
      added_on: exploitedSince,
      due_on: null,
      ransomware: false,
    })),
  };
}

/** An action of each workflow, which sends to the receiver of `npm run demo:receiver`, and those that tell a chat. */
export function actionRows(stored: readonly { id: string }[], owner: Owner, secrets: ActionSecrets) {
  const parameters = {
    url: receiverUrl,
    headers: [{ name: 'X-Shop', value: 'Harbour Outfitters' }],
    secret: receiverSecret,
  };
  const exports = workflows.map(({ resources }, number) => {
    const { id } = added('action', owner, number);
    const sealed = secrets.seal(id, parameters);
    const to = { type: 'EXPORT', kind: 'WEBHOOK' };
    return { id, workflow_id: stored[number]?.id, position: 0, ...to, resources, parameters_sealed: sealed };
  });
  const notices = workflows.flatMap(({ notifies }, number) => {
    if (!notifies) return [];
    const { id } = added('action', owner, workflows.length + number);
    const sealed = secrets.seal(id, { url: chatUrl, headers: [], secret: null });
    const to = { type: 'NOTIFY', kind: 'SLACK' };
    return [{ id, workflow_id: stored[number]?.id, position: 1, ...to, resources: null, parameters_sealed: sealed }];
  });
  return [...exports, ...notices];
}
