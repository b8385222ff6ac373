import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOneOptions, IsNull, LessThan, Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import { UserEntity } from '../users/user.entity.js';
import { RecoveryCodeEntity } from './recovery-code.entity.js';

/** The two-factor state of an account; the secret is sealed. */
export type TotpState = Pick<UserEntity, 'totpEnabled' | 'totpSecret' | 'username' | 'email'>;

/**
 * The two-factor columns of `users`, which only this module writes, and the recovery codes. The columns share a row with the
 * account, so that a login reads one.
 */
@Injectable()
export class TotpRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    @InjectRepository(RecoveryCodeEntity) private readonly codes: Repository<RecoveryCodeEntity>,
  ) {}

  stateOf(userId: string): Promise<TotpState | null> {
    return this.users.findOne(stateOf(userId));
  }

  /** The state; locks it until the unit of work ends. */
  lock(userId: string): Promise<TotpState | null> {
    return this.users.findOne({ ...stateOf(userId), lock: { mode: 'pessimistic_write' } });
  }

  /** Keeps a new secret for an account without two-factor login; returns false if it has it. */
  async prepare(id: string, sealedSecret: string): Promise<boolean> {
    const without = { id, totpEnabled: false, deletedAt: IsNull() };
    return (await this.users.update(without, { totpSecret: sealedSecret, totpLastStep: 0 })).affected === 1;
  }

  async enable(userId: string, recoveryCodeHashes: string[]): Promise<void> {
    await this.database.execute(
      `WITH enabled AS (UPDATE users SET totp_enabled = true WHERE id = $1 RETURNING id)
       INSERT INTO recovery_codes (user_id, code_hash) SELECT id, unnest($2::text[]) FROM enabled`,
      [userId, recoveryCodeHashes],
    );
  }

  /** Replaces the recovery codes. */
  async replaceRecoveryCodes(userId: string, recoveryCodeHashes: string[]): Promise<void> {
    await this.database.execute(
      `WITH old AS (DELETE FROM recovery_codes WHERE user_id = $1)
       INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, unnest($2::text[])`,
      [userId, recoveryCodeHashes],
    );
  }

  async disable(userId: string): Promise<void> {
    await this.database.execute(
      `WITH codes AS (DELETE FROM recovery_codes WHERE user_id = $1)
       UPDATE users SET totp_enabled = false, totp_secret = NULL WHERE id = $1`,
      [userId],
    );
  }

  /** Uses up a time step and all before it; returns whether it was unused. */
  async useStep(id: string, step: number): Promise<boolean> {
    return (await this.users.update({ id, totpLastStep: LessThan(step) }, { totpLastStep: step })).affected === 1;
  }

  /** The hashes of the unused recovery codes. */
  async recoveryCodeHashes(userId: string): Promise<string[]> {
    const unused = await this.codes.find({ select: { codeHash: true }, where: { userId, usedAt: IsNull() } });
    return unused.map(({ codeHash }) => codeHash);
  }

  /** Uses up the recovery code with this hash; returns whether there was an unused one. */
  async useRecoveryCode(userId: string, codeHash: string | null): Promise<boolean> {
    if (codeHash === null) return false;
    const unused = { userId, codeHash, usedAt: IsNull() };
    return (await this.codes.update(unused, { usedAt: () => 'now()' })).affected === 1;
  }
}

function stateOf(id: string): FindOneOptions<UserEntity> {
  return {
    select: { id: true, totpEnabled: true, totpSecret: true, username: true, email: true },
    where: { id, deletedAt: IsNull() },
  };
}
