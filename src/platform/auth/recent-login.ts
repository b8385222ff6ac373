import { Injectable, SetMetadata } from '@nestjs/common';
import { type AccessPolicyName, Settings } from '../../config/settings.js';
import { Unauthenticated } from '../errors/errors.js';
import type { CallerIdentity } from './caller.js';

/** When a route asks for a recent login, and who checks it. */
export interface RecentLoginMark {
  policies: readonly AccessPolicyName[];
  /** The service checks where only some requests need it: an update of the e-mail address, but not of the bio. */
  checkedBy: 'guard' | 'service';
}

export const recentLoginKey = Symbol('recent-login');

interface RecentLoginChoices {
  /** The operations of the interface description keep their answers under `contract`. */
  only?: 'hardened';
  checkedBy?: RecentLoginMark['checkedBy'];
}

/**
 * For routes that change what authenticates, beside their access mark: callers need a login, or a POST
 * /api/v1/auth/reauthenticate, of the last REAUTHENTICATE_AFTER seconds, so that a stolen access token does not become the
 * account. API keys pass.
 */
export function RecentLogin({ only, checkedBy = 'guard' }: RecentLoginChoices = {}): MethodDecorator {
  const mark: RecentLoginMark = { policies: only ? [only] : ['contract', 'hardened'], checkedBy };
  return SetMetadata(recentLoginKey, mark);
}

/** Checks how long ago callers proved who they are. */
@Injectable()
export class RecentLogins {
  constructor(private readonly settings: Settings) {}

  /** Throws `Unauthenticated` unless the caller has signed in or reauthenticated recently. */
  assert({ authenticatedAt = 0 }: CallerIdentity): void {
    const seconds = this.settings.reauthenticateAfterSeconds;
    if (Date.now() / 1_000 - authenticatedAt <= seconds) return;
    throw new Unauthenticated(
      `This takes a login of the last ${inWords(seconds)}: send your password, and the code if you have two-factor login, ` +
        'to POST /api/v1/auth/reauthenticate, and repeat the request with the access token that it returns',
      'reauthentication_required',
      // RFC 9470, section 3
      { error: 'insufficient_user_authentication', maxAgeSeconds: seconds },
    );
  }

  /** The same, unless the access policy spares the operations of the interface description. */
  assertUnderHardened(caller: CallerIdentity): void {
    if (this.settings.accessPolicy === 'hardened') this.assert(caller);
  }
}

function inWords(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
