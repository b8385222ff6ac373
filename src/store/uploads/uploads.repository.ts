import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
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

const insertGenerated = `INSERT INTO uploads (filename, kind, size) VALUES ($1, $2, $3)
                             ON CONFLICT (filename) DO UPDATE SET size = excluded.size`;

const setAvatar = statement(
  'uploads.set-avatar',
  'UPDATE users SET avatar_url = $2 WHERE id = $1 AND deleted_at IS NULL',
);

@Injectable()
export class UploadsRepository {
  constructor(private readonly database: Database) {}

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

  /** Forgets the avatars and general pictures of a user, and answers them. */
  removePersonal(userId: string): Promise<Pick<NewUpload, 'kind' | 'filename'>[]> {
    const sql = `DELETE FROM uploads WHERE user_id = $1 AND kind IN ('avatar', 'general') RETURNING kind, filename`;
    return this.database.rows(sql, [userId]);
  }

  /** Forgets every picture, and answers them. */
  removeEvery(): Promise<Pick<NewUpload, 'kind' | 'filename'>[]> {
    return this.database.rows('DELETE FROM uploads RETURNING kind, filename');
  }
}
