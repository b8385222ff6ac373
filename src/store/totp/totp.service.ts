import { Injectable } from '@nestjs/common';
import { toDataURL } from 'qrcode';
import type { CallerIdentity } from '../../common/auth/caller.js';
import { SecretBox } from '../../common/crypto/secret-box.js';
import { Conflict, RuleBroken, Unauthenticated } from '../../common/errors/kinds.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { GuessLimits } from '../users/guess-limits.js';
import { newSecret, otpauthUri, stepOf } from './totp-codes.js';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.js';
import { TotpRepository, type TotpState } from './totp.repository.js';
import type { TOTPDisabled, TOTPEnabled, TOTPSetupResponse, TOTPStatusResponse, TOTPVerified } from './totp.shapes.js';

const wrongCode = 'The code is wrong: send the one that the authenticator app shows now';

function placeOf(userId: string): string {
  return `totp:${userId}`;
}

/** Two-factor login by time-based one-time codes (RFC 6238). */
@Injectable()
export class TotpService {
  constructor(
    private readonly repository: TotpRepository,
    private readonly guesses: GuessLimits,
    private readonly secrets: SecretBox,
    private readonly unitOfWork: UnitOfWork,
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
   * Puts the secret from `setup` in force and answers the recovery codes. `RuleBroken` without a secret and for a wrong
   * code, `Conflict` when enabled already, `TooManyRequests` after wrong codes.
   */
  async enable({ id }: CallerIdentity, code: string, ip: string | undefined): Promise<TOTPEnabled> {
    const recoveryCodes = newRecoveryCodes();
    const enabled = await this.unitOfWork.run(async () => {
      const state = await this.locked(id);
      if (state.totp_enabled) throw alreadyEnabled();
      const secret = state.totp_secret;
      if (secret === null) throw notSetUp();
      return this.guesses.attempt(this.guessOf(id, ip), async () => {
        // Not shown: whether this uses the code up. It signs nobody in, so it still serves for the first login.
        if (this.stepOf(id, secret, code) === null) return false;
        await this.repository.enable(id, recoveryCodes.map(recoveryCodeHash));
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
      const { totp_enabled, totp_secret } = await this.locked(id);
      // Not shown: disabling what is not enabled. There is no code that could be right, so it is as a wrong one.
      if (!totp_enabled || totp_secret === null) {
        throw new RuleBroken('Two-factor login is not enabled', 'totp_not_enabled');
      }
      return this.guesses.attempt(this.guessOf(id, ip), async () => {
        // The current code, also one that has served a login: the interface description's state table says "verifies".
        // Unspecified: a recovery code serves here too, for whoever lost the device could never set up another one.
        const right =
          this.stepOf(id, totp_secret, code) !== null ||
          (await this.repository.useRecoveryCode(id, recoveryCodeHash(code)));
        if (!right) return false;
        await this.repository.disable(id);
        return true;
      });
    });
    if (!disabled) throw new RuleBroken(wrongCode, 'wrong_code');
    return { enabled: false, message: 'Two-factor login is off' };
  }

  /** Whether the caller's two-factor login is enabled. */
  async status({ id }: CallerIdentity): Promise<TOTPStatusResponse> {
    const state = stillThere(await this.repository.stateOf(id));
    return { enabled: state.totp_enabled };
  }

  /** Whether a code is right at present, for the secret in force or just set up; it stays unused. `TooManyRequests` after wrong ones. */
  verify({ id }: CallerIdentity, code: string, ip: string | undefined): Promise<TOTPVerified> {
    const guess = this.guessOf(id, ip);
    return this.unitOfWork.run(async () => {
      await this.guesses.take(guess);
      const { totp_secret } = stillThere(await this.repository.stateOf(id));
      // Not shown: a code where nothing was set up; none is right.
      const valid = totp_secret !== null && this.stepOf(id, totp_secret, code) !== null;
      await (valid ? this.guesses.takeBack(guess) : this.guesses.wrong(guess));
      return { valid };
    });
  }

  /** Uses up a code, or a recovery code in its place, of a locked account; answers whether it was right and unused. */
  async redeem(userId: string, sealedSecret: string, code: string): Promise<boolean> {
    const step = this.stepOf(userId, sealedSecret, code);
    if (step !== null) return this.repository.useStep(userId, step);
    return this.repository.useRecoveryCode(userId, recoveryCodeHash(code));
  }

  private stepOf(userId: string, sealedSecret: string, code: string): number | null {
    return stepOf(this.secrets.open(sealedSecret, placeOf(userId)), code, Date.now());
  }

  private guessOf(userId: string, ip: string | undefined) {
    return this.guesses.guess('code', userId, ip);
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

function notSetUp(): RuleBroken {
  return new RuleBroken('Get a secret from /api/v1/totp/setup first', 'totp_not_set_up');
}
