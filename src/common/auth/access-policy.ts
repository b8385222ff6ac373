import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Forbidden } from '../errors/kinds.js';
import type { CallerIdentity } from './caller.js';

/** The access policy in force, for rules that look at the thing and not only at the route. */
@Injectable()
export class AccessPolicy {
  readonly hardened: boolean;

  constructor(settings: Settings) {
    this.hardened = settings.accessPolicy === 'hardened';
  }

  /** Whether the caller is the owner of a thing, or an admin. */
  ownerOrAdmin(caller: CallerIdentity | null, ownerId: string | null): boolean {
    return caller !== null && (caller.role === 'admin' || caller.id === ownerId);
  }

  /** Under `hardened`, throws `Forbidden` with the sentence for anyone but the owner or an admin. */
  demandOwnerOrAdmin(caller: CallerIdentity | null, ownerId: string | null, sentence: string): void {
    if (this.hardened && !this.ownerOrAdmin(caller, ownerId)) throw new Forbidden(sentence, 'not_the_owner');
  }
}
