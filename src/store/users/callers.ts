import { Injectable } from '@nestjs/common';
import { CallerDirectory, type CallerIdentity } from '../../common/auth/caller.js';
import { BrieflyKnown } from '../../common/changes/briefly-known.js';
import { ChangeBus } from '../../common/changes/change-bus.js';
import { Database, statement } from '../../database/database.js';
import { accountStateOf } from './user-cache-tags.js';

interface Standing extends CallerIdentity {
  token_version: number;
}

const standing = statement(
  'users.account-state',
  `SELECT id, username, role, token_version FROM users WHERE id = $1 AND deleted_at IS NULL`,
);

const mostKnown = 20_000;

/** Knows the accounts behind access tokens, without asking the database again while nothing changed. */
@Injectable()
export class Callers extends CallerDirectory {
  private readonly known: BrieflyKnown<Standing | null>;

  constructor(
    private readonly database: Database,
    changes: ChangeBus,
  ) {
    super();
    this.known = new BrieflyKnown(changes, mostKnown);
  }

  async find(userId: string, tokenVersion: number): Promise<CallerIdentity | null> {
    const user = await this.standing(userId, tokenVersion);
    if (user?.token_version !== tokenVersion) return null;
    return { id: user.id, username: user.username, role: user.role };
  }

  /** A token that is newer than what is known was made on another node, whose word has not come yet. */
  private async standing(userId: string, tokenVersion: number): Promise<Standing | null> {
    const cacheTags = [accountStateOf(userId)];
    const read = () => this.database.row<Standing>(standing, [userId]);
    const known = await this.known.get(userId, cacheTags, read);
    const outdated = known !== null && known.token_version < tokenVersion;
    return outdated ? this.known.renew(userId, cacheTags, read) : known;
  }
}
