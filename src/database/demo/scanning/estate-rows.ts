import { uuidV7At } from '../../../common/crypto/uuid-v7.js';
import { daysBefore } from '../time.js';
import { assets, type DemoAsset } from './assets.js';
import { integrations, locations, profiles, receiverSecret, receiverUrl, tags, workflows } from './company.js';
import type { ScanningDoor } from './scanning-door.js';

const companyDaysAgo = 60;

/** Gives out what the company owns one after the other, so that newest first is an order. */
function founded(now: Date, at: number): { id: string; created_at: Date } {
  const moment = daysBefore(now, companyDaysAgo - at / 24);
  return { id: uuidV7At(moment, at), created_at: moment };
}

export interface Owner {
  organizationId: string;
  now: Date;
}

export function profileRows({ organizationId, now }: Owner) {
  return profiles.map(({ name, scannerKind, type }, at) => {
    const born = founded(now, at);
    const kept = { organization_id: organizationId, name, scanner_kind: scannerKind, type };
    return { ...born, ...kept, updated_at: born.created_at };
  });
}

export function tagRows({ organizationId, now }: Owner) {
  return tags.map((tag, at) => ({ ...founded(now, at), organization_id: organizationId, ...tag }));
}

export function locationRows({ organizationId, now }: Owner) {
  return locations.map((location, at) => ({ ...founded(now, at), organization_id: organizationId, ...location }));
}

export function integrationRows({ organizationId, now }: Owner, door: ScanningDoor) {
  return integrations.map(({ name, kind, valid, parameters }, at) => {
    const born = founded(now, at);
    const kept = { organization_id: organizationId, name, kind, valid };
    const sealed = door.sealIntegration(born.id, parameters);
    return { ...born, ...kept, parameters_sealed: sealed, updated_at: born.created_at };
  });
}

export function assetRows({ organizationId, now }: Owner, door: ScanningDoor) {
  return assets.map((asset, at) => {
    const born = founded(now, at);
    const { name, type, class: assetClass, address } = asset;
    const details = { service: null, frontend: null, host: null, repository: null, schema: null };
    const own = asset.detail ? { [asset.detail.name]: detailOf(asset.detail, born.created_at, at) } : {};
    const kept = { organization_id: organizationId, name, type, class: assetClass };
    return { ...born, ...kept, uri: door.assetUri(assetClass, address), ...details, ...own };
  });
}

/** The detail with an id, and with ids for the records of a host. */
function detailOf({ fields }: NonNullable<DemoAsset['detail']>, moment: Date, at: number) {
  const { records } = fields;
  const known = Array.isArray(records)
    ? { records: records.map((record: object, n) => withId(record, moment, n)) }
    : {};
  return withId({ ...fields, ...known }, moment, at);
}

function withId<T extends object>(fields: T, moment: Date, count: number) {
  return { id: uuidV7At(moment, count), ...fields };
}

export function assetTagRows(assetIds: ReadonlyMap<string, string>, tagIds: ReadonlyMap<string, string>) {
  return assets.flatMap((asset) =>
    asset.tags.map((tag) => ({ asset_id: assetIds.get(asset.name), tag_id: tagIds.get(tag) })),
  );
}

export function workflowRows({ organizationId, now }: Owner) {
  return workflows.map(({ name, enabled, trigger, cron, timeZone, conditions }, at) => {
    const born = founded(now, at);
    const kept = { organization_id: organizationId, name, enabled, trigger_type: trigger, cron, time_zone: timeZone };
    return { ...born, ...kept, conditions, updated_at: born.created_at };
  });
}

export function actionRows(workflowIds: ReadonlyMap<string, string>, { now }: Owner, door: ScanningDoor) {
  const parameters = {
    url: receiverUrl,
    headers: [{ name: 'X-Shop', value: 'Harbour Outfitters' }],
    secret: receiverSecret,
  };
  return workflows.map(({ name, resources }, at) => {
    const { id } = founded(now, at);
    const sealed = door.sealAction(id, parameters);
    return { id, workflow_id: workflowIds.get(name), position: 0, resources, parameters_sealed: sealed };
  });
}
