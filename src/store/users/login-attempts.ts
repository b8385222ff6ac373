import { Injectable } from '@nestjs/common';
import { type AuditRecord, AuditLog, nobody } from '../../platform/audit/audit-log.js';
import { sha256 } from '../../platform/crypto/digests.js';
import { TooManyRequests } from '../../platform/errors/errors.js';
import { isLimited, limitKeyOf } from '../../platform/net/caller-address.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { notices } from '../account-mail/security-notices.js';
import { SecurityMails } from '../account-mail/security-mails.js';
import { type AttemptLimit, LoginAttemptsRepository } from './login-attempts.repository.js';

const perAccountAndAddress: AttemptLimit = { failures: 5, quietSeconds: 3_600, longestBlockSeconds: 900 };
// Unspecified: how many attempts may fail from one address over all accounts; many people may share it.
const perAddress: AttemptLimit = { ...perAccountAndAddress, failures: 50 };
// Unspecified: how many attempts may fail at one account from all addresses, once something else of it was right. Only
// somebody who knows the password, or holds an access token, can make its owner wait.
const perAccount: AttemptLimit = { failures: 20, quietSeconds: 86_400, longestBlockSeconds: 3_600 };

const guessed = ['code', 'password'] as const;
type Guessed = (typeof guessed)[number];

/** An attempt at a secret of an account, from an address. */
export interface LoginAttempt {
  key: string;
  /** Null on loopback, which has no limit over all accounts. */
  addressKey: string | null;
  /** The account, of somebody who has given its password or an access token of it, and what they try next. */
  account: { id: string; guessed: Guessed } | null;
}

/**
 * An attempt that was counted; `isLastOfAccount` if it was the last one from any address before the account was
 * blocked.
 */
export interface CountedAttempt extends LoginAttempt {
  isLastOfAccount: boolean;
}

/** How an attempt went wrong, for the audit log. */
export interface FailedAttempt {
  action: 'user.login_failed' | 'user.login_code_failed' | 'user.password_failed' | 'user.code_failed';
  /** Null if there is no such account. */
  userId: string | null;
}

/**
 * Limits attempts at passwords and codes: per account and address together, so that a stranger cannot lock the owner
 * out, and per address over all accounts. Whoever has given one thing right, the password or an access token, may try the
 * next one from many addresses: so these are limited per account too, and its owner is told. The counters are in the
 * database, so that all nodes share them. Every attempt counts before its secret is checked and is uncounted when it is
 * right, so that parallel attempts gain nothing.
 *
 * rate-limiter-flexible has other rules: its window begins with the first attempt instead of the last, its blocks are
 * all of one length, and attempts during a block count. It also takes a statement more to block and another to look at
 * the address, between which attempts on other nodes would pass.
 */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly repository: LoginAttemptsRepository,
    private readonly mails: SecurityMails,
    private readonly audit: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** A stranger's attempt at the password of an account of this name. */
  atLogin(username: string, ip: string | undefined): LoginAttempt {
    return attemptAt('login', username, ip, null);
  }

  /** An attempt at the code of an account whose password was right. */
  atLoginCode({ id, username }: { id: string; username: string }, ip: string | undefined): LoginAttempt {
    return attemptAt('login', username, ip, { id, guessed: 'code' });
  }

  /** An attempt of a signed-in caller at a secret of their own. */
  ofCaller(secret: Guessed, id: string, ip: string | undefined): LoginAttempt {
    return attemptAt(secret, id, ip, { id, guessed: secret });
  }

  /**
   * Counts an attempt and runs `prove`; success clears the counters, failure leaves them and is audited. Returns
   * whether it succeeded. In a unit of work, parallel attempts wait for one another. `TooManyRequests` while attempts
   * are blocked.
   */
  async run(attempt: LoginAttempt, failed: FailedAttempt, prove: () => Promise<boolean>): Promise<boolean> {
    const counted = await this.count(attempt);
    const right = await prove();
    await (right ? this.clear(counted) : this.fail(counted, failed));
    return right;
  }

  /** Counts an attempt before its secret is checked; `TooManyRequests` while attempts are blocked. */
  async count(attempt: LoginAttempt): Promise<CountedAttempt> {
    const { key, ...others } = keysOf(attempt);
    const otherKeys = Object.values(others);
    if ((await this.repository.count(key, otherKeys, perAccountAndAddress)) !== null) {
      if (others.accountKey === undefined) return { ...attempt, isLastOfAccount: false };
      const failures = await this.repository.count(others.accountKey, [], perAccount);
      if (failures !== null) return { ...attempt, isLastOfAccount: failures === perAccount.failures };
    }
    const seconds = Math.max(1, Math.ceil(await this.repository.secondsLeft([key, ...otherKeys])));
    throw new TooManyRequests(`Too many wrong attempts: try again in ${seconds} s`, seconds, 'too_many_attempts');
  }

  /**
   * Leaves a failed attempt counted, counts it for the address too, audits it, with the block that it led to, and mails
   * the owner of an account that is blocked now.
   */
  fail(counted: CountedAttempt, { action, userId }: FailedAttempt): Promise<void> {
    const { addressKey, account, isLastOfAccount } = counted;
    return this.unitOfWork.run(async () => {
      if (addressKey !== null) await this.repository.count(addressKey, [], perAddress);
      await this.repository.deleteOld();
      const subject = { id: userId ?? nobody };
      const blocked: AuditRecord = { action: 'user.attempts_blocked', subject };
      const isBlocked = (await this.repository.secondsLeft(Object.values(keysOf(counted)))) > 0;
      await this.audit.record({ action, subject }, ...(isBlocked ? [blocked] : []));
      if (account && isLastOfAccount) await this.mails.send(account.id, notices.guessed(account.guessed));
    });
  }

  /** Audits that a right password did not help, since the account is suspended. */
  refuse(userId: string): Promise<void> {
    return this.unitOfWork.run(() => this.audit.record({ action: 'user.login_refused', subject: { id: userId } }));
  }

  /** Uncounts a right attempt that does not yet sign in; earlier failures still count. */
  giveBack(attempt: CountedAttempt): Promise<void> {
    return this.repository.giveBack(ownKeysOf(attempt));
  }

  /** Deletes the counters, once the last factor is right. */
  clear(attempt: CountedAttempt): Promise<void> {
    return this.repository.clear(ownKeysOf(attempt));
  }

  /** Unblocks an account whose owner has set another password: what others knew of it is worth nothing now. */
  forget(userId: string): Promise<void> {
    return this.repository.clear(guessed.map((secret) => accountKeyOf(userId, secret)));
  }
}

function attemptAt(
  kind: 'login' | Guessed,
  name: string,
  ip: string | undefined,
  account: LoginAttempt['account'],
): LoginAttempt {
  const address = limitKeyOf(ip);
  // A digest, because people type passwords where the username belongs.
  const key = `${kind}:${sha256(`${name.toLowerCase()}|${address}`)}`;
  return { key, addressKey: isLimited(address) ? `address:${address}` : null, account };
}

function accountKeyOf(userId: string, secret: Guessed): string {
  return `account:${secret}:${userId}`;
}

function keysOf({ key, addressKey, account }: LoginAttempt) {
  return {
    key,
    ...(addressKey === null ? {} : { addressKey }),
    ...(account ? { accountKey: accountKeyOf(account.id, account.guessed) } : {}),
  };
}

/** The counters of the account, and not that of the address. */
function ownKeysOf(attempt: LoginAttempt): string[] {
  const { key, accountKey } = keysOf(attempt);
  return accountKey === undefined ? [key] : [key, accountKey];
}
