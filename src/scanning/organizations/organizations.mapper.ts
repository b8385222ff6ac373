import type { KeyRole } from '../../platform/auth/organization-caller.js';
import type { OrganizationEntity } from './organization.entity.js';
import type { Organization } from './organizations.dto.js';

/** The organization as a caller of that role sees it. */
export function toOrganization(row: OrganizationEntity, role: KeyRole): Organization {
  const { id, name, scopedWebhookExportPayload, createdAt } = row;
  return { id, name, role, scopedWebhookExportPayload, createdAt };
}
