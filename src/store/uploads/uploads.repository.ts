import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';
import { UploadEntity, type UploadKind } from './upload.entity.js';

export type NewUpload = Pick<UploadEntity, 'filename' | 'kind' | 'size'>;

/** The lock on the owner blocks the deletion of their account, which then finds this picture. */
const insert = statement(
  'uploads.insert',
  `INSERT INTO uploads (filename, kind, size, user_id)
   SELECT $1, $2, $3, id FROM users WHERE id = $4 AND deleted_at IS NULL FOR SHARE`,
);

/** Pictures of products are the shop's: they stay when the account of the uploading admin goes. */
const personal = "user_id = $1 AND kind IN ('avatar', 'general')";

const countFiles = statement('uploads.count-files', countUpTo(`uploads WHERE ${personal}`));

const countMegabytes = statement(
  'uploads.count-megabytes',
  `SELECT least(ceil(coalesce(sum(size), 0) / 1048576.0), $2::integer)::integer AS count FROM uploads WHERE ${personal}`,
);

/** Locks the owner's row first, as a new avatar does before it replaces pictures. */
const remove = statement(
  'uploads.remove',
  `WITH owner AS MATERIALIZED (SELECT id FROM users WHERE id = $3 FOR NO KEY UPDATE)
   DELETE FROM uploads USING owner WHERE filename = $1 AND kind = $2 AND user_id = owner.id`,
);

@Injectable()
export class UploadsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(UploadEntity) private readonly uploads: Repository<UploadEntity>,
    private readonly stockQuotas: StockQuotas,
  ) {}

  /**
   * Runs `work`, which adds a picture of the user's, in a unit of work; undoes it with `QuotaExceeded` where the user
   * then has too many or too large ones.
   */
  withinQuotas<T>(userId: string, work: () => Promise<T>): Promise<T> {
    return this.stockQuotas.within('uploadMegabytes', userId, countMegabytes, () =>
      this.stockQuotas.within('uploads', userId, countFiles, work),
    );
  }

  /** Returns false if the owner's account is gone. */
  async insert({ filename, kind, size }: NewUpload, ownerId: string): Promise<boolean> {
    return (await this.database.execute(insert, [filename, kind, size, ownerId])) > 0;
  }

  /** Adds a picture that has no owner, or replaces the one of its name. */
  async saveGenerated(upload: NewUpload): Promise<void> {
    await this.uploads.upsert(upload, ['filename']);
  }

  /** Holds off other nodes that make this derivative until the unit of work ends. */
  async lockDerivative(name: string): Promise<void> {
    await this.database.execute(`SELECT pg_advisory_xact_lock(hashtextextended('derivative ' || $1, 0))`, [name]);
  }

  /** Deletes the avatars of a user but one, and returns the deleted ones. */
  removeOtherAvatars(userId: string, kept: string): Promise<Pick<NewUpload, 'kind' | 'filename'>[]> {
    const sql = `DELETE FROM uploads WHERE user_id = $1 AND kind = 'avatar' AND filename <> $2 RETURNING kind, filename`;
    return this.database.rows(sql, [userId, kept]);
  }

  /** Deletes a picture of the user's; returns whether there was one. */
  async remove(userId: string, kind: UploadKind, filename: string): Promise<boolean> {
    return (await this.database.execute(remove, [filename, kind, userId])) > 0;
  }

  /** Deletes the avatars and general pictures of a user, and returns them. */
  removePersonal(userId: string): Promise<Pick<NewUpload, 'kind' | 'filename'>[]> {
    const sql = `DELETE FROM uploads WHERE ${personal} RETURNING kind, filename`;
    return this.database.rows(sql, [userId]);
  }

  /** Deletes all pictures, and returns them. */
  removeEvery(): Promise<Pick<NewUpload, 'kind' | 'filename'>[]> {
    return this.database.rows('DELETE FROM uploads RETURNING kind, filename');
  }
}
