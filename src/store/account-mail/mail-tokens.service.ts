import { Injectable, type OnModuleInit } from '@nestjs/common';
import { randomToken, sha256 } from '../../platform/crypto/digests.js';
import { AccountRemovals } from '../../platform/removal-steps.js';
import type { MailTokenPurpose } from './mail-token.entity.js';
import { type MailTokenHolder, MailTokensRepository, type NamedHolder } from './mail-tokens.repository.js';

/** 160 random bits: short enough that no mail program breaks the link. */
const tokenBytes = 20;

const lifetimeMs: Record<MailTokenPurpose, number> = {
  // Unspecified: how long one link can confirm an address; the owner can ask for another one.
  confirm: 7 * 24 * 3_600_000,
  reset: 30 * 60_000,
  undo: 7 * 24 * 3_600_000,
};

/** The tokens of links in account mails. Only their digests are stored. */
@Injectable()
export class MailTokensService implements OnModuleInit {
  constructor(
    private readonly repository: MailTokensRepository,
    private readonly removals: AccountRemovals,
  ) {}

  onModuleInit(): void {
    this.removals.add(({ userId }) => this.repository.removeOf(userId));
  }

  /** Makes a token to be mailed to an account's address. */
  async issue(purpose: MailTokenPurpose, userId: string, email: string): Promise<{ token: string; expiresAt: Date }> {
    const token = randomToken(tokenBytes);
    const expiresAt = new Date(Date.now() + lifetimeMs[purpose]);
    await this.repository.add({ tokenHash: sha256(token), userId, purpose, email, expiresAt });
    return { token, expiresAt };
  }

  /** The account and address of a token, without using it up; null for an unknown, used or expired one. */
  find(purpose: MailTokenPurpose, token: string): Promise<NamedHolder | null> {
    return this.repository.find(sha256(token), purpose);
  }

  /** Uses a token up and returns its account and address, or null for an unknown, used or expired one. */
  redeem(purpose: MailTokenPurpose, token: string): Promise<MailTokenHolder | null> {
    return this.repository.take(sha256(token), purpose);
  }

  /** Whether a way back to this address, or to any, was mailed and is still open. */
  hasWayBack(userId: string, email: string | null): Promise<boolean> {
    return this.repository.has('undo', userId, email);
  }

  /** Whether the owner of another account may set its address back to this one. */
  isPromised(email: string, exceptTo: string): Promise<boolean> {
    return this.repository.isPromised(email, exceptTo);
  }

  /**
   * Invalidates the links that were mailed to an account. Those that set its address back stay for their seven days: whoever
   * took the account over could end them otherwise.
   */
  endLinksOf(userId: string): Promise<void> {
    return this.repository.removeOf(userId, 'undo');
  }

  /** Invalidates all links that were mailed to an account since the one that has just set its address back. */
  async endAfterUndo({ user_id, expires_at }: MailTokenHolder): Promise<void> {
    await this.endLinksOf(user_id);
    await this.repository.removeLater(user_id, 'undo', expires_at);
  }
}
