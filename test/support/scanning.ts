import { uuidV7 } from '../../src/common/crypto/uuid-v7.js';
import type { Asset } from '../../src/scanning/assets/assets.shapes.js';
import type { ResourceScan } from '../../src/scanning/scans/scans.shapes.js';
import type { EventTriggerType } from '../../src/scanning/vocabulary.js';
import type { InsertedOrganization } from './organizations.js';
import { makeResource, resourceBodies } from './resources.js';
import type { TestApp } from './test-app.js';

let made = 0;

/** Makes what scans are about, over HTTP, in one organization. */
export class Scanning {
  constructor(
    private readonly shop: TestApp,
    readonly organization: InsertedOrganization,
  ) {}

  /** A member's token. */
  get token(): string {
    return this.organization.member.token;
  }

  profile(): Promise<{ id: string }> {
    return makeResource(this.shop, this.organization, 'profiles', resourceBodies.profiles(`profile ${made++}`));
  }

  asset(json: object = resourceBodies.assets(`host-${made++}.example.com`)): Promise<Asset> {
    return makeResource<Asset>(this.shop, this.organization, 'assets', json);
  }

  location(): Promise<{ id: string }> {
    return makeResource(this.shop, this.organization, 'locations', resourceBodies.locations(`location ${made++}`));
  }

  /** A scan, of a profile of its own where none is given. */
  async scan(json: object = {}): Promise<ResourceScan> {
    const applicationId = 'applicationId' in json ? json.applicationId : (await this.profile()).id;
    const { status, body } = await this.shop.api.post<ResourceScan>('/api/v1/scans', {
      token: this.token,
      json: { applicationId, kind: 'FRONTEND_DAST', ...json },
    });
    if (status !== 201) throw new Error(`Making a scan answered ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** Has a workflow listen to triggers of a type: only then are they recorded. */
  async listenTo(...types: EventTriggerType[]): Promise<void> {
    for (const type of types) {
      await this.shop.database.rows(
        'INSERT INTO workflows (id, organization_id, name, trigger_type) VALUES ($1, $2, $3::text, $3::text)',
        [uuidV7(), this.organization.id, type],
      );
    }
  }

  /** The triggers recorded so far about any of these, oldest first. */
  triggersAbout(...ids: string[]): Promise<{ type: EventTriggerType; subjects: string[] }[]> {
    return this.shop.database.rows(
      'SELECT type, subjects FROM workflow_triggers WHERE organization_id = $1 AND subjects ?| $2 ORDER BY id',
      [this.organization.id, ids],
    );
  }
}
