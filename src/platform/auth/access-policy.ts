import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Forbidden } from '../errors/errors.js';
import type { CallerIdentity } from './caller.js';

/** The access policy in force, for rules about one resource rather than a whole route. */
@Injectable()
export class AccessPolicy {
  readonly hardened: boolean;

  constructor(settings: Settings) {
    this.hardened = settings.accessPolicy === 'hardened';
  }

  /** Whether the caller is the resource's owner or an admin. */
  ownerOrAdmin(caller: CallerIdentity | null, ownerId: string | null): boolean {
    return caller !== null && (caller.role === 'admin' || caller.id === ownerId);
  }

  /** Under `hardened`, throws `Forbidden` with the sentence unless the caller is the owner or an admin. */
  assertOwnerOrAdmin(caller: CallerIdentity | null, ownerId: string | null, sentence: string): void {
    if (this.hardened && !this.ownerOrAdmin(caller, ownerId)) throw new Forbidden(sentence, 'not_the_owner');
  }
}
