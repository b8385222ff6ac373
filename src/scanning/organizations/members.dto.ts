import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { demo } from '../../platform/openapi/demo-values.js';
import { type OrganizationRole, organizationRoles } from '../../platform/auth/organization-caller.js';
import { CursorPaging } from '../../platform/http/cursor.js';
import { BooleanField, DateTimeField, EnumField, StringField, UuidField } from '../../platform/validation/fields.js';
import { Invitation } from './invitations.dto.js';
import { OrganizationPath } from './organizations.dto.js';

const memberStatuses = ['ACTIVE', 'INVITED'] as const;

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

@ApiExtraModels(OrganizationMember, Invitation)
export class OrganizationMemberPage {
  /** Members, or with `status=INVITED` invitations. */
  @ApiProperty({
    type: 'array',
    items: { anyOf: [{ $ref: getSchemaPath(OrganizationMember) }, { $ref: getSchemaPath(Invitation) }] },
  })
  data: OrganizationMember[] | Invitation[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

/** Selects the people who belong to the organization, or those who are invited. */
export class OrganizationMemberPaging extends CursorPaging {
  @EnumField(memberStatuses, { default: 'ACTIVE', description: 'INVITED is for admins' })
  status: (typeof memberStatuses)[number];
}

export class OrganizationMemberUpdate {
  @EnumField(organizationRoles)
  role: OrganizationRole;
}

export class OrganizationMemberRemoval {
  @BooleanField({ default: false, description: 'Whether to revoke all API keys that they created' })
  revokeKeys: boolean;
}

export class OrganizationMemberPath extends OrganizationPath {
  @UuidField({ example: demo('member') })
  userId: string;
}
