import { type OrganizationRole, organizationRoles } from '../../common/auth/organization-caller.js';
import { ArrayField, DateTimeField, EnumField, StringField, UuidField } from '../../common/validation/fields.js';
import { OrganizationPath } from './organizations.shapes.js';

/** Somebody's part in an organization. */
export class OrganizationMember {
  @UuidField()
  userId: string;
  @StringField()
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
  })
  username?: string;
  @EnumField(organizationRoles)
  role: OrganizationRole;
}

export class OrganizationMemberUpdate {
  @EnumField(organizationRoles)
  role: OrganizationRole;
}

export class OrganizationMemberPath extends OrganizationPath {
  @UuidField()
  userId: string;
}
