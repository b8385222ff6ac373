import { Injectable } from '@nestjs/common';
import { type AuditRecord, AuditLog, nobody } from '../../audit/audit-log.js';
import { sha256 } from '../../common/crypto/digests.js';
import { TooManyRequests } from '../../common/errors/kinds.js';
import { isLimited, limitKeyOf } from '../../common/net/caller-address.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { LoginAttemptsRepository } from './login-attempts.repository.js';

const failuresPerAccount = 5;
// Unspecified: how many attempts may fail from one address over all accounts; many people may share it.
const failuresPerAddress = 50;

/** An attempt at a secret of an account, from an address. */
export interface LoginAttempt {
  key: string;
  /** Null on loopback, which has no limit over all accounts. */
  addressKey: string | null;
}

/** How an attempt went wrong, for the audit log. */
export interface FailedAttempt {
  action: 'user.login_failed' | 'user.login_code_failed' | 'user.password_failed' | 'user.code_failed';
  /** Null where there is no such account. */
  userId: string | null;
}

/**
 * Limits attempts at passwords and codes: per account and address together, so that a stranger cannot lock the owner
 * out, and per address over all accounts. The counters are in the database, so that all nodes share them. Every attempt
 * counts before its secret is checked and is uncounted when it is right, so that parallel attempts gain nothing.
 *
 * rate-limiter-flexible has other rules: its window begins with the first attempt instead of the last, its blocks are
 * all of one length, and attempts during a block count. It also takes a statement more to block and another to look at
 * the address, between which attempts on other nodes would pass.
 */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly repository: LoginAttemptsRepository,
    private readonly audit: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** An attempt at a secret of one kind, of an account given by name or id, from an address. */
  at(kind: 'login' | 'code' | 'password', account: string, ip: string | undefined): LoginAttempt {
    const address = limitKeyOf(ip);
    // A digest, because people type passwords where the username belongs.
    const key = `${kind}:${sha256(`${account.toLowerCase()}|${address}`)}`;
    return { key, addressKey: isLimited(address) ? `address:${address}` : null };
  }

  /**
   * Counts an attempt and runs `prove`; success clears the counter, failure leaves it and is audited. Returns whether it
   * succeeded. In a unit of work, parallel attempts wait for one another. `TooManyRequests` while attempts are blocked.
   */
  async run(attempt: LoginAttempt, failed: FailedAttempt, prove: () => Promise<boolean>): Promise<boolean> {
    await this.count(attempt);
    const right = await prove();
    await (right ? this.clear(attempt) : this.fail(attempt, failed));
    return right;
  }

  /** Counts an attempt before its secret is checked; `TooManyRequests` while attempts are blocked. */
  async count({ key, addressKey }: LoginAttempt): Promise<void> {
    if (await this.repository.count(key, addressKey, failuresPerAccount)) return;
    const keys = addressKey === null ? [key] : [key, addressKey];
    const seconds = Math.max(1, Math.ceil(await this.repository.secondsLeft(keys)));
    throw new TooManyRequests(`Too many wrong attempts: try again in ${seconds} s`, seconds, 'too_many_attempts');
  }

  /** Leaves a failed attempt counted, counts it for the address too, and audits it, with the block that it led to. */
  fail({ key, addressKey }: LoginAttempt, { action, userId }: FailedAttempt): Promise<void> {
    return this.unitOfWork.run(async () => {
      if (addressKey !== null) await this.repository.count(addressKey, null, failuresPerAddress);
      await this.repository.deleteOld();
      const keys = addressKey === null ? [key] : [key, addressKey];
      const subject = { id: userId ?? nobody };
      const blocked: AuditRecord = { action: 'user.attempts_blocked', subject };
      const isBlocked = (await this.repository.secondsLeft(keys)) > 0;
      await this.audit.record({ action, subject }, ...(isBlocked ? [blocked] : []));
    });
  }

  /** Audits that a right password did not help, since the account is suspended. */
  refuse(userId: string): Promise<void> {
    return this.unitOfWork.run(() => this.audit.record({ action: 'user.login_refused', subject: { id: userId } }));
  }

  /** Uncounts a right attempt that does not yet sign in; earlier failures still count. */
  giveBack({ key }: LoginAttempt): Promise<void> {
    return this.repository.giveBack(key);
  }

  /** Deletes the counter, once the last factor is right. */
  clear({ key }: LoginAttempt): Promise<void> {
    return this.repository.clear(key);
  }
}
