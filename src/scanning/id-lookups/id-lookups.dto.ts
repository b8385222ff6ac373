import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';

export const idKinds = [
  'API_KEY',
  'ASSET',
  'DELIVERY',
  'EVENT',
  'INTEGRATION',
  'ISSUE',
  'LOCATION',
  'PROFILE',
  'SCAN',
  'TAG',
  'WORKFLOW',
] as const;
export type IdKind = (typeof idKinds)[number];

const digits = '[0-9a-fA-F]';
const beginning = new RegExp(
  `^${digits}{8}(-${digits}{0,4}|-${digits}{4}-${digits}{0,4}|(-${digits}{4}){2}-${digits}{0,4}|(-${digits}{4}){3}-${digits}{0,12})?$`,
);

export class IdLookup {
  @EnumField(idKinds, { description: 'The kind of resource', example: 'SCAN' })
  kind: IdKind;
  @StringField({
    minLength: 8,
    maxLength: 36,
    pattern: beginning,
    patternHint: 'Input should be the first 8 or more characters of an id',
    description: 'The beginning of the id: 8 characters or more',
    example: '0199a001',
  })
  prefix: string;
}

/** A resource that the id may belong to. */
export class IdCandidate {
  @UuidField()
  id: string;
  @StringField({ description: 'Its name, title or kind', example: 'FRONTEND_DAST' })
  name: string;
  @DateTimeField()
  createdAt: Date;
}

export class IdCandidates {
  @ArrayField(() => IdCandidate, { description: 'The first ten' })
  data: IdCandidate[];
  @BooleanField({ description: 'Whether there are more' })
  more: boolean;
}
