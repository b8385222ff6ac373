import * as values from '../vocabulary.js';
import { place, profile, scanFields } from './default-schema.js';
import { type JsonSchema, listOf, object, oneOf, text, time, truth, uuid } from '../../platform/openapi/json-schema.js';
import { payloadSchema } from './json-schema.js';

const assetFields = {
  id: uuid,
  name: text,
  type: oneOf(values.assetTypes),
  class: oneOf(values.assetClasses),
  uri: { type: 'string', pattern: '^asset://' },
};

const definitions: Record<string, JsonSchema> = {
  Issue: object(
    {
      id: uuid,
      name: text,
      fullName: text,
      severity: oneOf(values.issueSeverities),
      category: oneOf(values.issueCategories),
      status: oneOf(values.issueStatuses),
      createdAt: time,
      alertUid: text,
      securityTestUid: text,
      assetId: uuid,
      asset: object(assetFields),
    },
    { scanId: uuid, applicationId: uuid, place: text, location: place },
  ),
  Asset: object({ ...assetFields, createdAt: time }),
  Scan: object({ ...scanFields, assetIds: listOf(uuid) }, { finishedAt: time, branch: text, failureReason: text }),
  Profile: profile,
  Location: object(
    { id: uuid, name: text, type: oneOf(values.locationTypes), enabled: truth, createdAt: time },
    { region: text },
  ),
  Integration: object({
    id: uuid,
    name: text,
    kind: oneOf(values.integrationKinds),
    valid: truth,
    createdAt: time,
    updatedAt: time,
  }),
};

const names = ['Issue', 'Asset', 'Scan', 'Profile', 'Location', 'Integration'];

/** The scoped variant of a payload, as JSON Schema: ids and scalars, and nothing that could be a credential. */
export const scopedSchema = payloadSchema('scoped', names, definitions);
