import { Injectable } from '@nestjs/common';
import { userActor } from '../../platform/audit/audit-actor.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { sealedColumn } from '../../platform/crypto/sealed-places.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { Conflict, found, RuleBroken, Unauthenticated } from '../../platform/errors/errors.js';
import { isUuid } from '../../platform/validation/check-value.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { notices } from '../account-mail/security-notices.js';
import { SecurityMails } from '../account-mail/security-mails.js';
import { AccountStateService } from '../users/account-state.service.js';
import { type FailedAttempt, LoginAttempts } from '../users/login-attempts.js';
import { RecoveryCodes } from './recovery-codes.js';
import { newSecret, otpauthUri, stepOf } from './totp-codes.js';
import { TotpRepository, type TotpState } from './totp.repository.js';
import type {
  TOTPDisabled,
  TOTPEnabled,
  TOTPRecoveryCodes,
  TOTPSetupResponse,
  TOTPStatusResponse,
  TOTPVerified,
} from './totp.dto.js';

const wrongCode = 'The code is wrong: send the one that the authenticator app shows now';
const wrongOrUsed = 'The code is wrong or was already used: send the next one that the authenticator app shows';

/** A code as somebody sent it, and the hash that it has if it may be a recovery code. */
export interface GivenCode {
  text: string;
  recoveryHash: string | null;
}

function wrongCodeOf(userId: string): FailedAttempt {
  return { action: 'user.code_failed', userId };
}

/** Where the secret of an account is sealed. */
export const placeOf = sealedColumn({ table: 'users', column: 'totp_secret', key: { id: 'uuid' }, place: 'totp' });

/** Two-factor login by time-based one-time codes (RFC 6238). */
@Injectable()
export class TotpService {
  constructor(
    private readonly repository: TotpRepository,
    private readonly attempts: LoginAttempts,
    private readonly secrets: SecretBox,
    private readonly unitOfWork: UnitOfWork,
    private readonly accountState: AccountStateService,
    private readonly mails: SecurityMails,
    private readonly recoveryCodes: RecoveryCodes,
  ) {}

  /** Makes a new secret for the caller, which `enable` puts in force. `Conflict` while two-factor login is enabled. */
  async setup({ id, username }: CallerIdentity): Promise<TOTPSetupResponse> {
    const secret = newSecret();
    if (!(await this.repository.prepare(id, this.secrets.seal(secret, placeOf(id))))) throw alreadyEnabled();
    // Here, so that a start does not load it.
    const { toDataURL } = await import('qrcode');
    return {
      secret,
      qr_code: await toDataURL(otpauthUri(secret, username)),
      manual_entry_key: secret.replaceAll(/(.{4})(?=.)/g, '$1 '),
    };
  }

  /**
   * Puts the secret from `setup` in force and returns the recovery codes. `RuleBroken` without a secret and for a wrong
   * code, `Conflict` when enabled already, `TooManyRequests` after wrong codes.
   */
  async enable({ id }: CallerIdentity, code: string, ip: string | undefined): Promise<TOTPEnabled> {
    const recoveryCodes = await this.newCodesFor(id, code, ip);
    const enabled = await this.unitOfWork.run(async () => {
      const state = await this.locked(id);
      if (state.totpEnabled) throw alreadyEnabled();
      const secret = state.totpSecret;
      if (secret === null) throw notSetUp();
      return this.attempts.run(this.attempts.ofCaller('code', id, ip), wrongCodeOf(id), async () => {
        // Unspecified: whether this uses the code up. It signs nobody in, so the code is still valid for the first
        // login.
        if (this.stepOf(id, secret, code) === null || !recoveryCodes) return false;
        await this.repository.enable(id, recoveryCodes.hashes);
        await this.accountState.audited(id, { action: 'user.totp_enabled' });
        await this.mails.send(id, notices.twoFactorOn());
        return true;
      });
    });
    if (!enabled || !recoveryCodes) throw new RuleBroken(wrongCode, 'wrong_code');
    const message = 'Two-factor login is on. Keep the recovery codes: they are not shown again';
    return { enabled, message, recovery_codes: recoveryCodes.codes };
  }

  /**
   * Ends two-factor login. `RuleBroken` when it is not enabled and for a wrong code, `TooManyRequests` after wrong
   * codes.
   */
  async disable({ id }: CallerIdentity, code: string, ip: string | undefined): Promise<TOTPDisabled> {
    const given = await this.read(id, code, ip);
    const disabled = await this.unitOfWork.run(async () => {
      const { totpEnabled, totpSecret } = await this.locked(id);
      // Unspecified: disabling what is not enabled. No code could be right, so the refusal is that of a wrong one.
      if (!totpEnabled || totpSecret === null) throw notEnabled();
      return this.attempts.run(this.attempts.ofCaller('code', id, ip), wrongCodeOf(id), async () => {
        // The current code, also one that has served a login: the interface description's state table says "verifies".
        // Unspecified: a recovery code serves too, because without the device nobody could set up another one.
        const right =
          this.stepOf(id, totpSecret, code) !== null || (await this.repository.useRecoveryCode(id, given.recoveryHash));
        if (!right) return false;
        await this.repository.disable(id);
        await this.accountState.audited(id, { action: 'user.totp_disabled' });
        await this.mails.send(id, notices.twoFactorOff());
        return true;
      });
    });
    if (!disabled) throw new RuleBroken(wrongCode, 'wrong_code');
    return { enabled: false, message: 'Two-factor login is off' };
  }

  /**
   * Makes new recovery codes, with a code of the app that has served for nothing else, and invalidates the previous
   * ones. `RuleBroken` when two-factor login is not enabled and for a wrong code, `TooManyRequests` after wrong codes.
   */
  async renewRecoveryCodes({ id }: CallerIdentity, code: string, ip: string | undefined): Promise<TOTPRecoveryCodes> {
    const recoveryCodes = await this.newCodesFor(id, code, ip);
    const renewed = await this.unitOfWork.run(async () => {
      const { totpEnabled, totpSecret } = await this.locked(id);
      if (!totpEnabled || totpSecret === null) throw notEnabled();
      return this.attempts.run(this.attempts.ofCaller('code', id, ip), wrongCodeOf(id), async () => {
        const step = this.stepOf(id, totpSecret, code);
        if (step === null || !recoveryCodes || !(await this.repository.useStep(id, step))) return false;
        await this.repository.replaceRecoveryCodes(id, recoveryCodes.hashes);
        await this.accountState.audited(id, { action: 'user.recovery_codes_renewed' });
        await this.mails.send(id, notices.recoveryCodesRenewed());
        return true;
      });
    });
    if (!renewed || !recoveryCodes) throw new RuleBroken(wrongOrUsed, 'wrong_code');
    return {
      message: 'The earlier recovery codes no longer work. Keep these: they are not shown again',
      recovery_codes: recoveryCodes.codes,
    };
  }

  /**
   * Ends the two-factor login of an account whose owner has lost device and recovery codes, and mails the owner.
   * `NotFound` if there is none, `Conflict` where two-factor login is not enabled.
   */
  async reset(userId: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const state = found(isUuid(userId) ? await this.repository.lock(userId) : null, 'User');
      if (!state.totpEnabled) throw new Conflict('The account has no two-factor login', 'totp_not_enabled');
      await this.repository.disable(userId);
      await this.accountState.audited(userId, { action: 'user.totp_reset' });
      await this.mails.send(userId, notices.twoFactorReset());
    });
  }

  /** Whether the caller's two-factor login is enabled. */
  async status({ id }: CallerIdentity): Promise<TOTPStatusResponse> {
    return { enabled: stillThere(await this.repository.stateOf(id)).totpEnabled };
  }

  /** Checks a code of the secret in force or just set up, without using it up. `TooManyRequests` after wrong ones. */
  verify({ id }: CallerIdentity, code: string, ip: string | undefined): Promise<TOTPVerified> {
    const attempt = this.attempts.ofCaller('code', id, ip);
    return this.unitOfWork.run(async () => {
      const counted = await this.attempts.count(attempt);
      const { totpSecret } = stillThere(await this.repository.stateOf(id));
      // Unspecified: a code before any setup; none is right.
      const valid = totpSecret !== null && this.stepOf(id, totpSecret, code) !== null;
      await (valid ? this.attempts.giveBack(counted) : this.attempts.fail(counted, wrongCodeOf(id)));
      return { valid };
    });
  }

  /**
   * Whether the caller gave the second factor, if the account has one; uses the code up. `RuleBroken` without a code,
   * `TooManyRequests` after wrong ones.
   */
  async prove({ id }: CallerIdentity, code: string | undefined, ip: string | undefined): Promise<boolean> {
    const given = await this.read(id, code ?? '', ip);
    return this.unitOfWork.run(async () => {
      const { totpEnabled, totpSecret } = await this.locked(id);
      if (!totpEnabled || totpSecret === null) return true;
      if (!code) throw new RuleBroken('The account has two-factor login: send totp_code as well', 'code_required');
      return this.attempts.run(this.attempts.ofCaller('code', id, ip), wrongCodeOf(id), () =>
        this.redeem(id, totpSecret, given),
      );
    });
  }

  /** Reads a code for `redeem`. That takes a hash, and so does not belong into a unit of work. */
  async read(userId: string, text: string, ip: string | undefined): Promise<GivenCode> {
    return { text, recoveryHash: await this.recoveryCodes.hashOf(userId, text, ip) };
  }

  /** Uses up a code or a recovery code of a locked account; returns whether it was right and unused. */
  async redeem(userId: string, sealedSecret: string, { text, recoveryHash }: GivenCode): Promise<boolean> {
    const step = this.stepOf(userId, sealedSecret, text);
    if (step !== null) return this.repository.useStep(userId, step);
    const used = await this.repository.useRecoveryCode(userId, recoveryHash);
    if (used) {
      await this.accountState.audited(userId, { action: 'user.recovery_code_used', actor: userActor(userId) });
    }
    return used;
  }

  /** New recovery codes for a code that looks right; null for a wrong one, which is not worth ten hashes. */
  private async newCodesFor(userId: string, code: string, ip: string | undefined) {
    const secret = (await this.repository.stateOf(userId))?.totpSecret;
    return secret && this.stepOf(userId, secret, code) !== null ? this.recoveryCodes.make(ip) : null;
  }

  private stepOf(userId: string, sealedSecret: string, code: string): number | null {
    return stepOf(this.secrets.open(sealedSecret, placeOf(userId)), code, Date.now());
  }

  private async locked(userId: string): Promise<TotpState> {
    return stillThere(await this.repository.lock(userId));
  }
}

function stillThere(state: TotpState | null): TotpState {
  if (!state) throw new Unauthenticated();
  return state;
}

function alreadyEnabled(): Conflict {
  return new Conflict('Two-factor login is already enabled: disable it first', 'totp_already_enabled');
}

function notEnabled(): RuleBroken {
  return new RuleBroken('Two-factor login is not enabled', 'totp_not_enabled');
}

function notSetUp(): RuleBroken {
  return new RuleBroken('Get a secret from /api/v1/totp/setup first', 'totp_not_set_up');
}
