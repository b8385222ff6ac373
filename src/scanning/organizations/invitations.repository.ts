import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, Repository } from 'typeorm';
import type { OrganizationCaller, OrganizationRole } from '../../platform/auth/organization-caller.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Database } from '../../database/database.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { daysToAnswer } from './days-to-answer.js';
import { OrganizationInvitationEntity } from './invitation.entity.js';
import type { Invitation, InvitationCreate, ReceivedInvitation } from './invitations.dto.js';
import * as statements from './invitations.statements.js';
import type { OrganizationMember } from './members.dto.js';

/** The outcome of an invitation: its fields are null unless there is one now. */
export interface InvitationOutcome extends Invitation {
  /** Whether the caller is, or acts for, an admin. */
  mayInvite: boolean;
  /** Whether there is such an account; always true for an e-mail address. */
  isKnown: boolean;
  isMember: boolean;
  /** Whether it is new, rather than one that already waits. */
  created: boolean | null;
  /** The role of the one that already waits. */
  formerRole: OrganizationRole | null;
  /** The address of its mail. */
  address: string;
}

/** The contents of the mail about an invitation. */
export interface InvitationToTell {
  address: string;
  /** The name of an account that was invited by its id or name. */
  account: string | null;
  name: string | null;
  role: OrganizationRole;
  expiresAt: Date;
  organizationName: string;
  inviterName: string | null;
}

/** A membership that an invitation led to, and its organization. */
export type AcceptedInvitation = OrganizationMember & { organizationId: string };

type Row = { id: string };

@Injectable()
export class InvitationsRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
    @InjectRepository(OrganizationInvitationEntity)
    private readonly invitations: Repository<OrganizationInvitationEntity>,
  ) {}

  /** Invites somebody. `QuotaExceeded` where members and invited have reached their most. */
  invite(caller: OrganizationCaller, invitation: InvitationCreate): Promise<InvitationOutcome> {
    const { organizationId, userId, apiKeyId } = caller;
    const { userId: invited = null, username = null, email = null, role } = invitation;
    const values = [uuidV7(), organizationId, invited, username, email, role, daysToAnswer, userId, apiKeyId];
    return this.stockQuotas.within(
      'members',
      organizationId,
      statements.countWithInvited,
      () => this.database.one<InvitationOutcome>(statements.invite, values),
      ({ created }) => created === true,
    );
  }

  /** The contents of a mail about it; null if it is answered, revoked or expired. */
  forMail(id: string): Promise<InvitationToTell | null> {
    return this.database.row<InvitationToTell>(statements.forMail, [id]);
  }

  page(organizationId: string, after: [Date | 'infinity', string], limit: number): Promise<(Invitation & Row)[]> {
    return this.database.rows(statements.page, [organizationId, ...after, limit]);
  }

  pageOfInvited(
    userId: string,
    after: [Date | 'infinity', string],
    limit: number,
  ): Promise<(ReceivedInvitation & Row)[]> {
    return this.database.rows(statements.pageOfInvited, [userId, ...after, limit]);
  }

  /** Makes the invited a member, in a unit of work; null if they have no such invitation. */
  async accept(userId: string, id: string): Promise<AcceptedInvitation | null> {
    if ((await this.database.execute(statements.lock, [userId, id])) === 0) return null;
    return this.database.row<AcceptedInvitation>(statements.accept, [userId, id]);
  }

  /** Removes an invitation of the invited; null if there is none. */
  decline(userId: string, id: string): Promise<{ organizationId: string } | null> {
    return this.database.row(statements.decline, [userId, id]);
  }

  /** Removes an invitation of the organization; returns whether there was one. */
  async revoke(organizationId: string, id: string): Promise<boolean> {
    return ((await this.invitations.delete({ organizationId, id })).affected ?? 0) > 0;
  }

  /** Removes those that a user sent for an organization. */
  async removeSentBy(organizationId: string, invitedBy: string): Promise<void> {
    await this.invitations.delete({ organizationId, invitedBy });
  }

  /** Removes the invitations to an account by its id or username, and those from it. */
  async removeOfAccount(userId: string): Promise<void> {
    await this.database.execute(statements.removeOfAccount, [userId]);
  }

  /** Removes those that nobody answered in time. */
  async removeExpired(): Promise<void> {
    await this.invitations.delete({ expiresAt: LessThanOrEqual(new Date()) });
  }
}
