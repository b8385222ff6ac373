import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { found } from '../../platform/errors/errors.js';
import { type CursorPaging, type Page, pageOf, startOf } from '../../platform/http/cursor.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { InvitationsRepository } from './invitations.repository.js';
import type { ReceivedInvitation } from './invitations.dto.js';
import type { OrganizationMember } from './members.dto.js';

/** The invitations to a user, by id, username or confirmed e-mail address. They change nothing until accepted. */
@Injectable()
export class ReceivedInvitationsService {
  constructor(
    private readonly repository: InvitationsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** A page of those that wait for an answer, newest first. `Invalid` for a broken cursor. */
  async list(caller: CallerIdentity, { size, cursor }: CursorPaging): Promise<Page<ReceivedInvitation>> {
    const rows = await this.repository.pageOfInvited(caller.id, startOf(cursor), size + 1);
    return pageOf(rows, size, ({ id: _id, ...invitation }) => invitation);
  }

  /** Makes the caller a member and returns the membership. `NotFound` where they have no such invitation. */
  accept(caller: CallerIdentity, id: string): Promise<OrganizationMember> {
    return this.unitOfWork.run(async () => {
      const { organizationId, ...member } = found(await this.repository.accept(caller.id, id), 'Invitation');
      const changes = { role: { from: null, to: member.role } };
      await this.audit.record({ action: 'member.joined', organizationId, subject: { id: caller.id }, changes });
      return member;
    });
  }

  /** Removes the invitation. `NotFound` where they have no such invitation. */
  async decline(caller: CallerIdentity, id: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const { organizationId } = found(await this.repository.decline(caller.id, id), 'Invitation');
      await this.audit.record({ action: 'invitation.declined', organizationId, subject: { id } });
    });
  }
}
