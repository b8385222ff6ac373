import {
  assets,
  daysBefore,
  integrations,
  locations,
  profiles,
  receiverSecret,
  receiverUrl,
  tags,
  workflows,
} from '@store-service/demo';
import { uuidV7At } from '../../platform/crypto/uuid-v7.js';
import { toRecord } from '../../scanning/assets/asset-draft.js';
import type { IntegrationSecrets } from '../../scanning/integrations/integration-secrets.js';
import type { ActionSecrets } from '../../scanning/workflows/action-secrets.js';

type Ids = ReadonlyMap<string, string>;

const addedDaysAgo = 60;

/** The organization's things were added one after the other, so that newest first is an order. */
function added({ organizationId, now }: Owner, number: number) {
  const moment = daysBefore(now, addedDaysAgo - number / 24);
  return { id: uuidV7At(moment, number), organization_id: organizationId, created_at: moment };
}

export interface Owner {
  organizationId: string;
  now: Date;
}

export function profileRows(owner: Owner) {
  return profiles.map(({ name, scannerKind, type }, number) => {
    const row = added(owner, number);
    return { ...row, name, scanner_kind: scannerKind, type, updated_at: row.created_at };
  });
}

export function tagRows(owner: Owner) {
  return tags.map((tag, number) => ({ ...added(owner, number), ...tag }));
}

export function locationRows(owner: Owner) {
  return locations.map((location, number) => ({ ...added(owner, number), ...location }));
}

export function integrationRows(owner: Owner, secrets: IntegrationSecrets) {
  return integrations.map(({ name, kind, valid, parameters }, number) => {
    const row = added(owner, number);
    const sealed = secrets.seal(row.id, parameters);
    return { ...row, name, kind, valid, parameters_sealed: sealed, updated_at: row.created_at };
  });
}

export function assetRows(owner: Owner) {
  return assets.map((asset, number) => ({ ...toRecord(asset), ...added(owner, number) }));
}

export function assetTagRows(assetIds: Ids, tagIds: Ids) {
  return assets.flatMap((asset) =>
    asset.tags.map((tag) => ({ asset_id: assetIds.get(asset.name), tag_id: tagIds.get(tag) })),
  );
}

export function workflowRows(owner: Owner) {
  return workflows.map(({ name, enabled, trigger, cron, timeZone, conditions }, number) => {
    const row = added(owner, number);
    const columns = { name, enabled, trigger_type: trigger, cron, time_zone: timeZone, conditions };
    return { ...row, ...columns, updated_at: row.created_at };
  });
}

/** One action a workflow: it sends to the receiver of `npm run demo:receiver`. */
export function actionRows(stored: readonly { id: string }[], owner: Owner, secrets: ActionSecrets) {
  const parameters = {
    url: receiverUrl,
    headers: [{ name: 'X-Shop', value: 'Harbour Outfitters' }],
    secret: receiverSecret,
  };
  return workflows.map(({ resources }, number) => {
    const { id } = added(owner, number);
    const sealed = secrets.seal(id, parameters);
    return { id, workflow_id: stored[number]?.id, position: 0, resources, parameters_sealed: sealed };
  });
}
