import { Injectable } from '@nestjs/common';
import { CallerDirectory, type CallerIdentity, type TokenSubject } from '../../platform/auth/caller.js';
import { TaggedCache } from '../../platform/changes/tagged-cache.js';
import { ChangeBus } from '../../platform/changes/change-bus.js';
import { Settings } from '../../config/settings.js';
import { type AccountState, AccountStateRepository } from './account-state.repository.js';
import { accountStateOf } from './user-cache-tags.js';

const mostKnown = 20_000;

/** Finds the accounts behind access tokens, and reads one again only after it changed. */
@Injectable()
export class Callers extends CallerDirectory {
  private readonly known: TaggedCache<AccountState | null>;

  constructor(
    private readonly repository: AccountStateRepository,
    changes: ChangeBus,
    private readonly settings: Settings,
  ) {
    super();
    this.known = new TaggedCache(changes, mostKnown);
  }

  async find(token: TokenSubject): Promise<CallerIdentity | null> {
    const { userId, tokenVersion, sessionId, authenticatedAt, isMultiFactor = false } = token;
    const state = await this.stateOf(userId, tokenVersion);
    if (!state || !isValid(token, state)) return null;
    return {
      id: state.id,
      username: state.username,
      ...this.roleOf(state, isMultiFactor),
      ...(sessionId !== undefined && { sessionId }),
      ...(authenticatedAt !== undefined && { authenticatedAt }),
      ...(isMultiFactor && { isMultiFactor }),
    };
  }

  async valid<T extends TokenSubject>(tokens: readonly T[]): Promise<ReadonlySet<T>> {
    if (tokens.length === 0) return new Set();
    const states = await this.repository.byIds([...new Set(tokens.map(({ userId }) => userId))]);
    const known = new Map(states.map((state) => [state.id, state]));
    return new Set(tokens.filter((token) => isValid(token, known.get(token.userId))));
  }

  /** Not even a rule about one resource gives an admin's rights to one who lacks the second factor that they need. */
  private roleOf(
    { role, totp_enabled }: AccountState,
    isMultiFactor: boolean,
  ): Pick<CallerIdentity, 'role' | 'awaitsTotp'> {
    const awaits = role === 'admin' && !totp_enabled && !isMultiFactor && this.settings.adminTotp === 'required';
    return awaits ? { role: 'user', awaitsTotp: true } : { role };
  }

  /** A token newer than the known state comes from another node, whose invalidation has not arrived yet. */
  private async stateOf(userId: string, tokenVersion: number): Promise<AccountState | null> {
    const cacheTags = [accountStateOf(userId)];
    const read = () => this.repository.byId(userId);
    const known = await this.known.get(userId, cacheTags, read);
    const outdated = known !== null && known.token_version < tokenVersion;
    return outdated ? this.known.renew(userId, cacheTags, read) : known;
  }
}

function isValid({ tokenVersion, sessionId }: TokenSubject, state: AccountState | undefined): boolean {
  if (state?.token_version !== tokenVersion) return false;
  return sessionId === undefined || !state.ended_sessions.includes(sessionId);
}
