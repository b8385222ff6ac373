import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { countUpTo, StockQuotas } from '../../database/stock-quotas.js';
import type { UploadKind } from './upload.entity.js';

export interface NewUpload {
  filename: string;
  kind: UploadKind;
  size: number;
}

/** The lock on the owner makes the deletion of his account wait, so that it finds this picture too. */
const insert = statement(
  'uploads.insert',
  `INSERT INTO uploads (filename, kind, size, user_id)
   SELECT $1, $2, $3, id FROM users WHERE id = $4 AND deleted_at IS NULL FOR SHARE`,
);

/** Pictures of products are the shop's: they stay when the account of the admin who uploaded them goes. */
const personal = "user_id = $1 AND kind IN ('avatar', 'general')";

const countFiles = statement('uploads.count-files', countUpTo(`uploads WHERE ${personal}`));

const countMegabytes = statement(
  'uploads.count-megabytes',
  `SELECT least(ceil(coalesce(sum(size), 0) / 1048576.0), $2::integer)::integer AS count FROM uploads WHERE ${personal}`,
);

const insertGenerated = `INSERT INTO uploads (filename, kind, size) VALUES ($1, $2, $3)
                             ON CONFLICT (filename) DO UPDATE SET size = excluded.size`;

const setAvatar = statement(
  'uploads.set-avatar',
  'UPDATE users SET avatar_url = $2 WHERE id = $1 AND deleted_at IS NULL',
);

/** The owner's row first, as a new avatar locks it before the pictures that it replaces. */
const remove = statement(
  'uploads.remove',
  `WITH owner AS MATERIALIZED (SELECT id FROM users WHERE id = $3 FOR NO KEY UPDATE)
   DELETE FROM uploads USING owner WHERE filename = $1 AND kind = $2 AND user_id = owner.id`,
);

const clearAvatar = statement(
  'uploads.clear-avatar',
  'UPDATE users SET avatar_url = NULL WHERE id = $1 AND avatar_url = $2',
);

@Injectable()
export class UploadsRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
  ) {}

  /**
   * Runs `work`, which adds a picture of the user's, in a unit of work that is undone with `QuotaExceeded` where they have
   * too many then, or too large ones.
   */
  withinQuotas<T>(userId: string, work: () => Promise<T>): Promise<T> {
    return this.stockQuotas.within('uploadMegabytes', userId, countMegabytes, () =>
      this.stockQuotas.within('uploads', userId, countFiles, work),
    );
  }

  /** Answers false where the owner's account is gone. */
  async insert({ filename, kind, size }: NewUpload, ownerId: string): Promise<boolean> {
    return (await this.database.execute(insert, [filename, kind, size, ownerId])) > 0;
  }

  async insertGenerated({ filename, kind, size }: NewUpload): Promise<void> {
    await this.database.execute(insertGenerated, [filename, kind, size]);
  }

  /** Shows the picture as the user's avatar; answers false where the account is gone. */
  async setAvatar(userId: string, url: string): Promise<boolean> {
    return (await this.database.execute(setAvatar, [userId, url])) > 0;
  }

  /** Forgets the avatars of a user but one, and answers them. */
  removeOtherAvatars(userId: string, kept: string): Promise<Pick<NewUpload, 'kind' | 'filename'>[]> {
    const sql = `DELETE FROM uploads WHERE user_id = $1 AND kind = 'avatar' AND filename <> $2 RETURNING kind, filename`;
    return this.database.rows(sql, [userId, kept]);
  }

  /** Forgets a picture of the user's, and of their account where it is the avatar; returns whether there was one. */
  async remove(userId: string, kind: UploadKind, filename: string, url: string): Promise<boolean> {
    const removed = (await this.database.execute(remove, [filename, kind, userId])) > 0;
    if (removed) await this.database.execute(clearAvatar, [userId, url]);
    return removed;
  }

  /** Forgets the avatars and general pictures of a user, and answers them. */
  removePersonal(userId: string): Promise<Pick<NewUpload, 'kind' | 'filename'>[]> {
    const sql = `DELETE FROM uploads WHERE ${personal} RETURNING kind, filename`;
    return this.database.rows(sql, [userId]);
  }

  /** Forgets every picture, and answers them. */
  removeEvery(): Promise<Pick<NewUpload, 'kind' | 'filename'>[]> {
    return this.database.rows('DELETE FROM uploads RETURNING kind, filename');
  }
}
