import { Injectable } from '@nestjs/common';
import { notices } from '../../store/account-mail/security-notices.js';
import { SecurityMails } from '../../store/account-mail/security-mails.js';
import { ApiKeysRepository, type RevokedKey } from './api-keys.repository.js';
import type { ApiKey } from './api-keys.dto.js';

/** Mails the makers of API keys: a key that somebody makes in their name outlives their password. */
@Injectable()
export class ApiKeyMails {
  constructor(
    private readonly repository: ApiKeysRepository,
    private readonly mails: SecurityMails,
  ) {}

  /** Tells the maker of a new key, or of the key that made it. */
  async made(organizationId: string, { name, createdBy }: ApiKey): Promise<void> {
    if (!createdBy) return;
    const organization = await this.repository.organizationName(organizationId);
    await this.mails.send(createdBy.userId, notices.keyMade(name, organization));
  }

  /** Tells the maker of keys, all of one, that were revoked. */
  async revoked(organizationId: string, keys: RevokedKey[]): Promise<void> {
    const makerId = keys[0]?.makerId;
    if (!makerId) return;
    const organization = await this.repository.organizationName(organizationId);
    const names = keys.map(({ name }) => name);
    await this.mails.send(makerId, notices.keysRevoked(names, organization));
  }
}
