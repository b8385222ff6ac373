import type { Organization as OrganizationShape } from '../../../../src/scanning/organizations/organizations.dto.js';
import type { ApiClient } from '../api/api-client.js';
import type { Wire } from '../wire.js';

export type Organization = Wire<OrganizationShape>;

/** The organization that the key belongs to. */
export function currentOrganization(api: ApiClient): Promise<Organization> {
  return api.get<Organization>('organizations/current');
}
