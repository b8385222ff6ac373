import { Global, Module } from '@nestjs/common';
import { OrganizationDirectory } from '../../platform/auth/organization-caller.js';
import { repositoriesOf } from '../../database/repositories.js';
import { AccountMailModule } from '../../store/account-mail/account-mail.module.js';
import { AccountRemoval } from './account-removal.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { ApiKeyMails } from './api-key-mails.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { OrganizationInvitationEntity } from './invitation.entity.js';
import { InvitationMail } from './invitation-mail.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsRepository } from './invitations.repository.js';
import { InvitationsService } from './invitations.service.js';
import { MembersController } from './members.controller.js';
import { MembersRepository } from './members.repository.js';
import { MembersService } from './members.service.js';
import { OrganizationCallersRepository } from './organization-callers.repository.js';
import { OrganizationDirectoryService } from './organization-directory.service.js';
import { OrganizationExport } from './organization-export.js';
import { OrganizationMemberEntity } from './organization-member.entity.js';
import { OrganizationEntity } from './organization.entity.js';
import { OrganizationRecipientsRepository } from './organization-recipients.repository.js';
import { OrganizationRecipients } from './organization-recipients.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { OrganizationsService } from './organizations.service.js';
import { ReceivedInvitationsController } from './received-invitations.controller.js';
import { ReceivedInvitationsService } from './received-invitations.service.js';

@Global()
@Module({
  imports: [
    AccountMailModule,
    repositoriesOf([OrganizationEntity, OrganizationMemberEntity, OrganizationInvitationEntity, ApiKeyEntity]),
  ],
  controllers: [
    OrganizationsController,
    MembersController,
    InvitationsController,
    ReceivedInvitationsController,
    ApiKeysController,
  ],
  providers: [
    { provide: OrganizationDirectory, useClass: OrganizationDirectoryService },
    OrganizationCallersRepository,
    OrganizationsService,
    OrganizationsRepository,
    MembersService,
    MembersRepository,
    InvitationsService,
    ReceivedInvitationsService,
    InvitationsRepository,
    InvitationMail,
    ApiKeysService,
    ApiKeyMails,
    ApiKeysRepository,
    AccountRemoval,
    OrganizationExport,
    OrganizationRecipients,
    OrganizationRecipientsRepository,
  ],
  exports: [OrganizationDirectory, OrganizationRecipients],
})
export class OrganizationsModule {}
