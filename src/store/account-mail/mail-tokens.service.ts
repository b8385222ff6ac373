import { Injectable, type OnModuleInit } from '@nestjs/common';
import { randomToken, sha256 } from '../../common/crypto/digests.js';
import { AccountRemovals } from '../../common/removal-steps.js';
import type { MailTokenPurpose } from './mail-token.entity.js';
import { type MailTokenHolder, MailTokensRepository } from './mail-tokens.repository.js';

/** 160 random bits: as short as a link is that no mail program breaks. */
const tokenBytes = 20;

const lifetimeMs: Record<MailTokenPurpose, number> = {
  // Unspecified: how long an address can be confirmed by one link; another one is had by asking.
  confirm: 7 * 24 * 3_600_000,
  reset: 30 * 60_000,
};

/** The tokens that links in mails to accounts carry. They are stored as digests alone. */
@Injectable()
export class MailTokensService implements OnModuleInit {
  constructor(
    private readonly repository: MailTokensRepository,
    private readonly removals: AccountRemovals,
  ) {}

  onModuleInit(): void {
    this.removals.add(({ userId }) => this.endAllOf(userId));
  }

  /** Makes a token that is sent to an account's address. */
  async issue(purpose: MailTokenPurpose, userId: string, email: string): Promise<{ token: string; expiresAt: Date }> {
    const token = randomToken(tokenBytes);
    const expiresAt = new Date(Date.now() + lifetimeMs[purpose]);
    await this.repository.add({ tokenHash: sha256(token), userId, purpose, email, expiresAt });
    return { token, expiresAt };
  }

  /** Whether a token is good at this moment. */
  async isGood(purpose: MailTokenPurpose, token: string): Promise<boolean> {
    return (await this.repository.find(sha256(token), purpose)) !== null;
  }

  /** Uses a token up and returns whom it was sent to, or null for one that is unknown, used or expired. */
  redeem(purpose: MailTokenPurpose, token: string): Promise<MailTokenHolder | null> {
    return this.repository.take(sha256(token), purpose);
  }

  /** Ends all links that were sent to an account. */
  endAllOf(userId: string): Promise<void> {
    return this.repository.removeOf(userId);
  }
}
