import { type OrganizationRole, organizationRoles } from '../../common/auth/organization-caller.js';
import { ArrayField, DateTimeField, EnumField, StringField, UuidField } from '../../common/validation/fields.js';
import { nameBounds } from '../name-field.js';
import { OrganizationPath } from './organizations.shapes.js';

/** An API key without the key itself, which is shown once. */
export class ApiKey {
  @UuidField()
  id: string;
  @StringField()
  name: string;
  @EnumField(organizationRoles)
  role: OrganizationRole;
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
}

export class ApiKeyPage {
  @ArrayField(() => ApiKey)
  data: ApiKey[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

/** A new API key. */
export class ApiKeyCreated extends ApiKey {
  @StringField({ description: 'Shown this once: send it as X-API-Key' })
  key: string;
}

export class ApiKeyCreate {
  @StringField({ ...nameBounds, example: 'CI pipeline' })
  name: string;
  @EnumField(organizationRoles)
  role: OrganizationRole;
  @DateTimeField({ optional: true, nullable: true, description: 'A time to come; null for never' })
  expiresAt?: string | null;
}

export class ApiKeyPath extends OrganizationPath {
  @UuidField()
  keyId: string;
}
