import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../common/auth/caller.js';
import { found, NotFound } from '../../common/errors/kinds.js';
import { type CursorPaging, type Page, pageOf, startOf } from '../../common/http/cursor.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { InvitationsRepository } from './invitations.repository.js';
import type { ReceivedInvitation } from './invitations.shapes.js';
import type { OrganizationMember } from './members.shapes.js';

/** The invitations that a user got, by id, username or confirmed e-mail address. They change nothing until accepted. */
@Injectable()
export class ReceivedInvitationsService {
  constructor(
    private readonly repository: InvitationsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** A page of those that wait for an answer, newest first. `Invalid` for a broken cursor. */
  async list(caller: CallerIdentity, { size, cursor }: CursorPaging): Promise<Page<ReceivedInvitation>> {
    const rows = await this.repository.pageOfInvited(caller.id, startOf(cursor), size + 1);
    return pageOf(rows, size, ({ id: _id, ...invitation }) => invitation);
  }

  /** Makes the caller a member and returns the membership. `NotFound` where there is no such invitation of theirs. */
  accept(caller: CallerIdentity, id: string): Promise<OrganizationMember> {
    return this.unitOfWork.run(async () => found(await this.repository.accept(caller.id, id), 'Invitation'));
  }

  /** Removes the invitation. `NotFound` where there is no such invitation of theirs. */
  async decline(caller: CallerIdentity, id: string): Promise<void> {
    if (!(await this.repository.decline(caller.id, id))) throw new NotFound('Invitation not found');
  }
}
