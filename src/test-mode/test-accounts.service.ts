import { Injectable } from '@nestjs/common';
import { Changes } from '../database/changes.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { everything } from '../platform/changes/change-bus.js';
import { Passwords } from '../platform/crypto/passwords.js';
import { SecretBox } from '../platform/crypto/secret-box.js';
import { newSecret } from '../store/totp/totp-codes.js';
import { placeOf } from '../store/totp/totp.service.js';
import { UsersService } from '../store/users/users.service.js';
import type { TestUser, TestUserCreate } from './test-rows.dto.js';
import { TestRowsRepository } from './test-rows.repository.js';

const usualPassword = 'correct-horse-7';

/** Makes accounts in any state. */
@Injectable()
export class TestAccountsService {
  constructor(
    private readonly repository: TestRowsRepository,
    private readonly users: UsersService,
    private readonly passwords: Passwords,
    private readonly box: SecretBox,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: Changes,
  ) {}

  /** An account that can sign in with the password that is returned. `Conflict` for a taken username or e-mail. */
  async make(wanted: TestUserCreate): Promise<TestUser> {
    const { id: given, username, email = `${username}@example.com`, password = usualPassword, role } = wanted;
    const passwordHash = await this.passwords.hash(password, { queue: 'registration' });
    return this.unitOfWork.run(async () => {
      const { id } = await this.users.create({ id: given, username, email, passwordHash, role });
      await this.repository.setAccount(id, {
        createdAt: wanted.created_at,
        emailVerified: wanted.email_verified,
        suspendedAt: wanted.suspended ? new Date() : null,
        totpSecret: wanted.totp ? this.box.seal(newSecret(), placeOf(id)) : null,
      });
      this.changes.invalidate([everything]);
      return { id, username, email, password };
    });
  }
}
