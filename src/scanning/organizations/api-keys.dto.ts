import { demo } from '../../platform/openapi/demo-values.js';
import {
  type KeyRole,
  keyRoles,
  type OrganizationRole,
  organizationRoles,
} from '../../platform/auth/organization-caller.js';
import {
  ArrayField,
  DateTimeField,
  EnumField,
  IntegerField,
  ObjectField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { nameBounds } from '../name-field.js';
import { OrganizationPath } from './organizations.dto.js';

/** The maker of a key, with the present name and role. */
export class ApiKeyMaker {
  @UuidField()
  userId: string;
  @StringField({ nullable: true, description: 'null once the account is gone', example: 'maria' })
  username: string | null;
  @EnumField(organizationRoles, { nullable: true, description: 'null for somebody who is no longer a member' })
  role: OrganizationRole | null;
}

/** An API key without the key itself, which only its creation shows. */
export class ApiKey {
  @UuidField()
  id: string;
  @StringField({ example: 'CI pipeline' })
  name: string;
  @EnumField(keyRoles)
  role: KeyRole;
  @StringField({ description: 'How the key begins', example: 'ssk_a1B2c3D4' })
  prefix: string;
  @DateTimeField()
  createdAt: Date;
  @DateTimeField({ nullable: true })
  expiresAt: Date | null;
  @DateTimeField({ nullable: true, description: 'To the minute' })
  lastUsedAt: Date | null;
  @DateTimeField({ nullable: true })
  revokedAt: Date | null;
  @ObjectField(() => ApiKeyMaker, {
    nullable: true,
    description: 'Of a key that was made with another key, whoever made that one; null where nobody is known',
  })
  createdBy: ApiKeyMaker | null;
}

export class ApiKeyPage {
  @ArrayField(() => ApiKey)
  data: ApiKey[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

/** A new API key. */
export class ApiKeyCreated extends ApiKey {
  @StringField({ description: 'Shown this once: send it as X-API-Key', example: 'ssk_a1B2c3D4_the_rest_of_the_key' })
  key: string;
}

export class ApiKeyCreate {
  @StringField({ ...nameBounds, example: 'CI pipeline' })
  name: string;
  @EnumField(keyRoles, {
    description: 'A pipeline needs an importer: it imports reports, reads, and changes nothing else',
  })
  role: KeyRole;
  @DateTimeField({ optional: true, nullable: true, description: 'A time to come; null for never' })
  expiresAt?: string | null;
}

export class ApiKeysOfMaker {
  @UuidField({ description: 'The userId of whoever made the keys', example: demo('member') })
  createdBy: string;
}

export class ApiKeysRevoked {
  @IntegerField({ min: 0, description: 'How many keys were in force', example: 2 })
  revoked: number;
}

export class ApiKeyPath extends OrganizationPath {
  @UuidField({ example: demo('apiKey') })
  keyId: string;
}
