import type { IntegrationEntity } from './integration.entity.js';
import type { Integration } from './integrations.dto.js';
import { maskParameters, type Parameters } from './parameter-masks.js';

export type IntegrationRow = Omit<IntegrationEntity, 'organizationId'>;

export function toIntegration(row: IntegrationRow, parameters: Parameters): Integration {
  const { id, name, kind, valid, createdAt, updatedAt } = row;
  return { id, name, kind, valid, parameters: maskParameters(kind, parameters), createdAt, updatedAt };
}
