import { Injectable, type OnModuleInit } from '@nestjs/common';
import { changesOf } from '../../platform/audit/audit-changes.js';
import { AuditLog, type AuditRecord } from '../../platform/audit/audit-log.js';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { Conflict, Forbidden, NotFound } from '../../platform/errors/errors.js';
import { type CursorPaging, type Page, pageOf, startOf } from '../../platform/http/cursor.js';
import { Rates } from '../../platform/quotas/rates.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { InvitationMail } from './invitation-mail.js';
import { type InvitationOutcome, InvitationsRepository } from './invitations.repository.js';
import type { Invitation, InvitationCreate } from './invitations.dto.js';

/** The invitations of an organization, which its admins send and revoke. */
@Injectable()
export class InvitationsService implements OnModuleInit {
  constructor(
    private readonly repository: InvitationsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly rates: Rates,
    private readonly mail: InvitationMail,
    private readonly jobs: JobRunner,
    private readonly audit: AuditLog,
  ) {}

  onModuleInit(): void {
    this.jobs.registerRecurring({
      name: 'invitation-expiry',
      everySeconds: 3_600,
      deadlineSeconds: 300,
      handler: () => this.repository.removeExpired(),
    });
  }

  /**
   * A page of the unanswered invitations, newest first. `Invalid` for a broken cursor, `Forbidden` unless for an admin.
   */
  async list({ organizationId, role }: OrganizationCaller, { size, cursor }: CursorPaging): Promise<Page<Invitation>> {
    // Unspecified: who sees them. They hold e-mail addresses of people who have not agreed to anything.
    if (role !== 'admin') throw new Forbidden('Only admins of the organization can list invitations', 'role_too_low');
    const rows = await this.repository.page(organizationId, startOf(cursor), size + 1);
    return pageOf(rows, size, toInvitation);
  }

  /**
   * Invites an account, or an e-mail address, and sends a mail. Somebody who is already invited stays so, with the role
   * of this invitation, and gets no second mail. `Invalid` unless exactly one field names whom, `NotFound` if there is
   * no such account, `Conflict` for a member, `QuotaExceeded` where members and invited have reached their most,
   * `RateExceeded` for too many a day, `Forbidden` where the caller has just lost the right to invite.
   */
  invite(
    caller: OrganizationCaller,
    invitation: InvitationCreate,
  ): Promise<{ invitation: Invitation; created: boolean }> {
    assertOneName(invitation);
    return this.unitOfWork.run(async () => {
      const outcome = await this.repository.invite(caller, invitation);
      assertInvited(outcome);
      if (outcome.created) {
        await this.rates.take('invitations', caller.userId ?? caller.organizationId);
        await this.mail.send(outcome);
      }
      await this.audit.record(toRecord(caller, outcome));
      return { invitation: toInvitation(outcome), created: outcome.created === true };
    });
  }

  /** Revokes an invitation, which nobody can accept then. `NotFound` if there is none. */
  async revoke({ organizationId }: OrganizationCaller, id: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      if (!(await this.repository.revoke(organizationId, id))) throw new NotFound('Invitation not found');
      await this.audit.record({ action: 'invitation.revoked', organizationId, subject: { id } });
    });
  }
}

function assertOneName({ userId, username, email }: InvitationCreate): void {
  const names = [userId, username, email].filter((name) => name !== undefined);
  if (names.length === 1) return;
  const type = names.length === 0 ? 'missing' : 'value_error';
  throw Invalid.at(['body', 'userId'], type, 'Name the person to invite by exactly one of userId, username and email');
}

function assertInvited({ mayInvite, isKnown, isMember }: InvitationOutcome): void {
  if (!mayInvite) {
    throw new Forbidden('Only an admin of the organization can invite, and you no longer are one', 'role_too_low');
  }
  if (!isKnown) throw new NotFound('User not found');
  if (isMember) throw new Conflict('This user is already a member: change the role with PATCH', 'already_a_member');
}

function toRecord({ organizationId }: OrganizationCaller, outcome: InvitationOutcome): AuditRecord {
  const { invitationId: id, formerRole, created } = outcome;
  const about = { organizationId, subject: { id } };
  if (!created) {
    const changes = changesOf({ role: formerRole }, outcome, { shown: ['role'] });
    return { action: 'invitation.role_changed', ...about, changes };
  }
  const changes = changesOf(null, outcome, { shown: ['role', 'userId'], concealed: ['email'] });
  return { action: 'invitation.sent', ...about, changes };
}

function toInvitation(row: Invitation): Invitation {
  const { invitationId, userId, username, email, role, status, createdAt, expiresAt } = row;
  return { invitationId, userId, username, email, role, status, createdAt, expiresAt };
}
