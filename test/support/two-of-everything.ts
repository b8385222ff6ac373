import type { PayloadSchemas } from './payload-schemas.js';
import type { Receiver } from './receiver.js';
import type { ScanningRows } from './scanning-rows.js';

type Payload = Record<string, { id: string }[]>;

const idsOf = (payload: Payload) =>
  Object.fromEntries(Object.entries(payload).map(([root, list]) => [root, list.map(({ id }) => id).sort()]));

/** The ids in the payload of the first request, which must be the default variant. */
export async function sentIds(receiver: Receiver, schemas: PayloadSchemas): Promise<Record<string, string[]>> {
  const received = await receiver.has(1);
  const payload = JSON.parse(String(received[0]?.bytes)) as Payload;
  schemas.default(payload);
  return idsOf(payload);
}

/** Two of everything; triggers are about the first. */
export async function twoOfEverything(things: ScanningRows) {
  const tagId = await things.tag();
  const profileIds = [await things.profile(), await things.profile({ name: 'Other' })];
  const assetIds = [
    await things.asset({ type: 'REST', class: 'API_SERVICE' }, [tagId]),
    await things.asset({ type: 'DNS', class: 'HOST', name: 'other.example.com' }),
  ];
  const locationId = await things.location();
  const scan = { location_id: locationId, kind: 'BLST_REST', status: 'FINISHED' };
  const scanIds = [
    await things.scan(profileIds[0] ?? '', scan, assetIds.slice(0, 1)),
    await things.scan(profileIds[1] ?? '', {}, assetIds.slice(1)),
  ];
  const issueIds = [
    await things.issue(assetIds[0] ?? '', { scan_id: scanIds[0] }),
    await things.issue(assetIds[1] ?? '', {
      scan_id: scanIds[1],
      severity: 'LOW',
      category: 'SCHEMA',
      status: 'RESOLVED',
      name: 'Missing schema',
      full_name: 'Missing schema',
    }),
  ];
  const integrationIds = [await things.integration({}), await things.integration({}, { name: 'Other' })];
  const first = (ids: string[]): string => ids[0] ?? '';
  return {
    tagId,
    locationId,
    profile: first(profileIds),
    asset: first(assetIds),
    scan: first(scanIds),
    issue: first(issueIds),
    integration: first(integrationIds),
    all: {
      issues: issueIds.sort(),
      assets: assetIds.sort(),
      scans: scanIds.sort(),
      profiles: profileIds.sort(),
      locations: [locationId],
      integrations: integrationIds.sort(),
    },
  };
}

/** The ids in an empty payload. */
export const nothing = { issues: [], assets: [], scans: [], profiles: [], locations: [], integrations: [] };
