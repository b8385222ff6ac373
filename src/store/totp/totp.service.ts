import { Injectable } from '@nestjs/common';
import { toDataURL } from 'qrcode';
import { userActor } from '../../audit/audit-actor.js';
import type { CallerIdentity } from '../../common/auth/caller.js';
import { SecretBox } from '../../common/crypto/secret-box.js';
import { Conflict, found, RuleBroken, Unauthenticated } from '../../common/errors/kinds.js';
import { isUuid } from '../../common/validation/check-value.js';
import { Mailer } from '../../mail/mailer.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { AccountStateService } from '../users/account-state.service.js';
import { type FailedAttempt, LoginAttempts } from '../users/login-attempts.js';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.js';
import { newSecret, otpauthUri, stepOf } from './totp-codes.js';
import { TotpRepository, type TotpState } from './totp.repository.js';
import type {
  TOTPDisabled,
  TOTPEnabled,
  TOTPRecoveryCodes,
  TOTPSetupResponse,
  TOTPStatusResponse,
  TOTPVerified,
} from './totp.shapes.js';
import { totpResetMail } from './totp-reset-mail.js';

const wrongCode = 'The code is wrong: send the one that the authenticator app shows now';

function wrongCodeOf(userId: string): FailedAttempt {
  return { action: 'user.code_failed', userId };
}

function placeOf(userId: string): string {
  return `totp:${userId}`;
}

/** Two-factor login by time-based one-time codes (RFC 6238). */
@Injectable()
export class TotpService {
  constructor(
    private readonly repository: TotpRepository,
    private readonly attempts: LoginAttempts,
    private readonly secrets: SecretBox,
    private readonly unitOfWork: UnitOfWork,
    private readonly accountState: AccountStateService,
    private readonly mailer: Mailer,
  ) {}

  /** Makes a new secret for the caller, which `enable` puts in force. `Conflict` while two-factor login is enabled. */
  async setup({ id, username }: CallerIdentity): Promise<TOTPSetupResponse> {
    const secret = newSecret();
    if (!(await this.repository.prepare(id, this.secrets.seal(secret, placeOf(id))))) throw alreadyEnabled();
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
    const recoveryCodes = newRecoveryCodes();
    const enabled = await this.unitOfWork.run(async () => {
      const state = await this.locked(id);
      if (state.totpEnabled) throw alreadyEnabled();
      const secret = state.totpSecret;
      if (secret === null) throw notSetUp();
      return this.attempts.run(this.attempts.at('code', id, ip), wrongCodeOf(id), async () => {
        // Unspecified: whether this uses the code up. It signs nobody in, so the code is still valid for the first login.
        if (this.stepOf(id, secret, code) === null) return false;
        await this.repository.enable(id, recoveryCodes.map(recoveryCodeHash));
        await this.accountState.audited(id, { action: 'user.totp_enabled' });
        return true;
      });
    });
    if (!enabled) throw new RuleBroken(wrongCode, 'wrong_code');
    const message = 'Two-factor login is on. Keep the recovery codes: they are not shown again';
    return { enabled, message, recovery_codes: recoveryCodes };
  }

  /** Ends two-factor login. `RuleBroken` when it is not enabled and for a wrong code, `TooManyRequests` after wrong codes. */
  async disable({ id }: CallerIdentity, code: string, ip: string | undefined): Promise<TOTPDisabled> {
    const disabled = await this.unitOfWork.run(async () => {
      const { totpEnabled, totpSecret } = await this.locked(id);
      // Unspecified: disabling what is not enabled. No code could be right, so the refusal is that of a wrong one.
      if (!totpEnabled || totpSecret === null) throw notEnabled();
      return this.attempts.run(this.attempts.at('code', id, ip), wrongCodeOf(id), async () => {
        // The current code, also one that has served a login: the interface description's state table says "verifies".
        // Unspecified: a recovery code serves too, because without the device nobody could set up another one.
        const right =
          this.stepOf(id, totpSecret, code) !== null ||
          (await this.repository.useRecoveryCode(id, recoveryCodeHash(code)));
        if (!right) return false;
        await this.repository.disable(id);
        await this.accountState.audited(id, { action: 'user.totp_disabled' });
        return true;
      });
    });
    if (!disabled) throw new RuleBroken(wrongCode, 'wrong_code');
    return { enabled: false, message: 'Two-factor login is off' };
  }

  /**
   * Makes new recovery codes, with a code of the app, and invalidates the previous ones. `RuleBroken` when two-factor login is
   * not enabled and for a wrong code, `TooManyRequests` after wrong codes.
   */
  async renewRecoveryCodes({ id }: CallerIdentity, code: string, ip: string | undefined): Promise<TOTPRecoveryCodes> {
    const recoveryCodes = newRecoveryCodes();
    const renewed = await this.unitOfWork.run(async () => {
      const { totpEnabled, totpSecret } = await this.locked(id);
      if (!totpEnabled || totpSecret === null) throw notEnabled();
      return this.attempts.run(this.attempts.at('code', id, ip), wrongCodeOf(id), async () => {
        if (this.stepOf(id, totpSecret, code) === null) return false;
        await this.repository.replaceRecoveryCodes(id, recoveryCodes.map(recoveryCodeHash));
        await this.accountState.audited(id, { action: 'user.recovery_codes_renewed' });
        return true;
      });
    });
    if (!renewed) throw new RuleBroken(wrongCode, 'wrong_code');
    return {
      message: 'The recovery codes from before no longer serve. Keep these: they are not shown again',
      recovery_codes: recoveryCodes,
    };
  }

  /**
   * Ends the two-factor login of an account whose owner has lost device and recovery codes, and mails the owner.
   * `NotFound` where there is none, `Conflict` where two-factor login is not enabled.
   */
  async reset(userId: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const state = found(isUuid(userId) ? await this.repository.lock(userId) : null, 'User');
      if (!state.totpEnabled) throw new Conflict('The account has no two-factor login', 'totp_not_enabled');
      await this.repository.disable(userId);
      await this.accountState.audited(userId, { action: 'user.totp_reset' });
      if (state.username !== null && state.email !== null) {
        await this.mailer.send(totpResetMail({ id: userId, username: state.username, email: state.email }));
      }
    });
  }

  /** Whether the caller's two-factor login is enabled. */
  async status({ id }: CallerIdentity): Promise<TOTPStatusResponse> {
    return { enabled: stillThere(await this.repository.stateOf(id)).totpEnabled };
  }

  /** Checks a code of the secret in force or just set up, without using it up. `TooManyRequests` after wrong ones. */
  verify({ id }: CallerIdentity, code: string, ip: string | undefined): Promise<TOTPVerified> {
    const attempt = this.attempts.at('code', id, ip);
    return this.unitOfWork.run(async () => {
      await this.attempts.count(attempt);
      const { totpSecret } = stillThere(await this.repository.stateOf(id));
      // Unspecified: a code before any setup; none is right.
      const valid = totpSecret !== null && this.stepOf(id, totpSecret, code) !== null;
      await (valid ? this.attempts.giveBack(attempt) : this.attempts.fail(attempt, wrongCodeOf(id)));
      return { valid };
    });
  }

  /** Uses up a code or a recovery code of a locked account; returns whether it was right and unused. */
  async redeem(userId: string, sealedSecret: string, code: string): Promise<boolean> {
    const step = this.stepOf(userId, sealedSecret, code);
    if (step !== null) return this.repository.useStep(userId, step);
    const used = await this.repository.useRecoveryCode(userId, recoveryCodeHash(code));
    if (used) {
      await this.accountState.audited(userId, { action: 'user.recovery_code_used', actor: userActor(userId) });
    }
    return used;
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
  return new Conflict('Two-factor login is enabled already: disable it first', 'totp_already_enabled');
}

function notEnabled(): RuleBroken {
  return new RuleBroken('Two-factor login is not enabled', 'totp_not_enabled');
}

function notSetUp(): RuleBroken {
  return new RuleBroken('Get a secret from /api/v1/totp/setup first', 'totp_not_set_up');
}
