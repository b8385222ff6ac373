import { type OrganizationRole, organizationRoles } from '../../platform/auth/organization-caller.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { ArrayField, DateTimeField, EnumField, StringField, UuidField } from '../../platform/validation/fields.js';
import { OrganizationPath } from './organizations.dto.js';

const invited = ['INVITED'] as const;

/** Whom to invite: by `userId`, `username` or `email`, exactly one of them. */
export class InvitationCreate {
  @UuidField({ optional: true, nullable: 'ignored' })
  userId?: string;
  @StringField({
    optional: true,
    nullable: 'ignored',
    minLength: 1,
    maxLength: 50,
    description: 'Case is ignored',
    example: 'maria.santos',
  })
  username?: string;
  @StringField({
    optional: true,
    nullable: 'ignored',
    format: 'email',
    description: 'Of anybody, with or without an account; case is ignored',
  })
  email?: string;
  @EnumField(organizationRoles)
  role: OrganizationRole;
}

/** An invitation as the organization's admins see it. */
export class Invitation {
  @UuidField()
  invitationId: string;
  @UuidField({ nullable: true, description: 'Null if an e-mail address was invited' })
  userId: string | null;
  @StringField({ nullable: true, example: 'maria.santos' })
  username: string | null;
  @StringField({ nullable: true, format: 'email', description: 'Null if an account was invited by its id or name' })
  email: string | null;
  @EnumField(organizationRoles)
  role: OrganizationRole;
  @EnumField(invited)
  status: (typeof invited)[number];
  @DateTimeField()
  createdAt: Date;
  @DateTimeField()
  expiresAt: Date;
}

export class InvitationPath extends OrganizationPath {
  @UuidField({ example: demo('invitation') })
  invitationId: string;
}

/** An invitation as the invited see it. */
export class ReceivedInvitation {
  @UuidField()
  invitationId: string;
  @UuidField()
  organizationId: string;
  @StringField({ example: 'Tidewater Analytics' })
  organizationName: string;
  @EnumField(organizationRoles, { description: 'The role that you would get' })
  role: OrganizationRole;
  @EnumField(invited)
  status: (typeof invited)[number];
  @StringField({ nullable: true, description: 'The username of the admin who invited you', example: 'kenji.t' })
  invitedBy: string | null;
  @DateTimeField()
  createdAt: Date;
  @DateTimeField()
  expiresAt: Date;
}

export class ReceivedInvitationPage {
  @ArrayField(() => ReceivedInvitation)
  data: ReceivedInvitation[];
  @StringField({ nullable: true })
  nextCursor: string | null;
}

export class ReceivedInvitationPath {
  @UuidField({ example: demo('receivedInvitation') })
  invitationId: string;
}
