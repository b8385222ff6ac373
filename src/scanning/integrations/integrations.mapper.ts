import type { IntegrationKind } from '../vocabulary.js';
import type { Integration } from './integrations.shapes.js';
import { maskParameters, type Parameters } from './parameter-masks.js';

export interface IntegrationRow {
  id: string;
  name: string;
  kind: IntegrationKind;
  valid: boolean;
  parametersSealed: string;
  createdAt: Date;
  updatedAt: Date;
}

export function toIntegration(row: IntegrationRow, parameters: Parameters): Integration {
  const { id, name, kind, valid, createdAt, updatedAt } = row;
  return { id, name, kind, valid, parameters: maskParameters(kind, parameters), createdAt, updatedAt };
}
