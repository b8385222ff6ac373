import { demo } from '../../common/openapi/demo-values.js';
import { type OrganizationRole, organizationRoles } from '../../common/auth/organization-caller.js';
import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  StringField,
  UuidField,
} from '../../common/validation/fields.js';
import { OrganizationPath } from './organizations.shapes.js';

/** A member of an organization. */
export class OrganizationMember {
  @UuidField()
  userId: string;
  @StringField({ example: 'kenji.t' })
  username: string;
  @EnumField(organizationRoles)
  role: OrganizationRole;
  @DateTimeField()
  createdAt: Date;
}

export class OrganizationMemberPage {
  @ArrayField(() => OrganizationMember)
  data: OrganizationMember[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

/** The account is named by `userId` or by `username`. */
export class OrganizationMemberCreate {
  @UuidField({ optional: true, nullable: 'ignored' })
  userId?: string;
  @StringField({
    optional: true,
    nullable: 'ignored',
    minLength: 1,
    maxLength: 50,
    description: 'Compared without case',
    example: 'maria.santos',
  })
  username?: string;
  @EnumField(organizationRoles)
  role: OrganizationRole;
}

export class OrganizationMemberUpdate {
  @EnumField(organizationRoles)
  role: OrganizationRole;
}

export class OrganizationMemberRemoval {
  @BooleanField({ default: false, description: 'Whether all API keys that they made are revoked with it' })
  revokeKeys: boolean;
}

export class OrganizationMemberPath extends OrganizationPath {
  @UuidField({ example: demo('member') })
  userId: string;
}
