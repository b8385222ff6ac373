import type { Asset } from '../../src/scanning/assets/assets.dto.js';
import type { ResourceScan } from '../../src/scanning/scans/scans.dto.js';
import type { EventTriggerType } from '../../src/scanning/vocabulary.js';
import type { InsertedOrganization } from './organizations.js';
import type { TestApp } from './test-app.js';
import { listenTo } from './workflow-triggers.js';

/** Bodies that make a resource of the given name. */
export const resourceBodies = {
  profiles: (name: string) => ({ name, scannerKind: 'FRONTEND_DAST', type: 'REST' }),
  tags: (name: string) => ({ name, color: '#c0392b' }),
  locations: (name: string) => ({ name, type: 'PRIVATE', target: 'scanner.internal.example.com' }),
  integrations: (name: string) => ({ name, kind: 'CUSTOM', parameters: { apiKey: 'a-long-secret-1234' } }),
  assets: (name: string) => ({ name, type: 'DNS', class: 'HOST' }),
} as const;
export type ResourceKind = keyof typeof resourceBodies;

export interface Resource {
  id: string;
  name: string;
  createdAt: string;
}

/** Makes a resource over HTTP, as the organization's admin. */
export async function makeResource<T extends object = Resource>(
  app: TestApp,
  { admin }: InsertedOrganization,
  kind: ResourceKind,
  json: object,
): Promise<T> {
  const { status, body } = await app.api.post<T>(`/api/v1/${kind}`, { token: admin.token, json });
  if (status !== 201) throw new Error(`POST ${kind} answered ${status} ${JSON.stringify(body)}`);
  return body;
}

let made = 0;

/**
 * Makes an organization's things over HTTP, as clients do: for tests of what the API returns and changes. `ScanningRows`
 * writes rows instead.
 */
export class Scanning {
  constructor(
    private readonly app: TestApp,
    readonly organization: InsertedOrganization,
  ) {}

  /** A member's token. */
  get token(): string {
    return this.organization.member.token;
  }

  profile(): Promise<{ id: string }> {
    return makeResource(this.app, this.organization, 'profiles', resourceBodies.profiles(`profile ${made++}`));
  }

  asset(json: object = resourceBodies.assets(`host-${made++}.example.com`)): Promise<Asset> {
    return makeResource<Asset>(this.app, this.organization, 'assets', json);
  }

  location(): Promise<{ id: string }> {
    return makeResource(this.app, this.organization, 'locations', resourceBodies.locations(`location ${made++}`));
  }

  /** A scan, with a profile of its own unless one is given. */
  async scan(json: object = {}): Promise<ResourceScan> {
    const applicationId = 'applicationId' in json ? json.applicationId : (await this.profile()).id;
    const { status, body } = await this.app.api.post<ResourceScan>('/api/v1/scans', {
      token: this.token,
      json: { applicationId, kind: 'FRONTEND_DAST', ...json },
    });
    if (status !== 201) throw new Error(`Making a scan answered ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** Adds workflows with triggers of these types: without them no trigger is recorded. */
  listenTo(...types: EventTriggerType[]): Promise<void> {
    return listenTo(this.app, this.organization.id, ...types);
  }

  /** The triggers recorded so far about any of these, oldest first. */
  triggersAbout(...ids: string[]): Promise<{ type: EventTriggerType; subjects: string[] }[]> {
    return this.app.database.rows(
      'SELECT type, subjects FROM workflow_triggers WHERE organization_id = $1 AND subjects ?| $2 ORDER BY id',
      [this.organization.id, ids],
    );
  }
}
