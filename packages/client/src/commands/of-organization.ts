import type { StoreClient } from '@store-service/sdk';

export interface OrganizationPath {
  organizationId: string;
}

/** The path parameter of the organization that the key belongs to. */
export async function ofOrganization({ organizations }: StoreClient): Promise<OrganizationPath> {
  return { organizationId: (await organizations.current()).data.id };
}
