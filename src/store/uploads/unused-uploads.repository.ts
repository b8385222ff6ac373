import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { UploadEntity } from './upload.entity.js';

/** The pictures that one statement looks at, and those that one transaction removes. */
const marked = 500;
const removed = 100;

/** Whether a row of `table` shows the picture `u`; the words of its index. */
function shows(table: string, column: string): string {
  return `EXISTS (SELECT FROM ${table}
    WHERE ${column} LIKE '%/uploads/%' AND substring(${column}, '/uploads/[a-z]+/([^/?#]+)') = u.filename)`;
}

/** Descriptions of products may show pictures too. */
const isShown = `(${[
  shows('users', 'avatar_url'),
  shows('products', 'image_url'),
  shows('product_images', 'url'),
  shows('categories', 'image_url'),
  shows('reviews', 'image_url'),
  shows('testimonials', 'guest_avatar_url'),
  shows('order_items', 'product_image_url'),
  shows('shop_settings', 'logo_url'),
  `EXISTS (SELECT FROM product_search WHERE text_key LIKE '%' || search_key(u.filename) || '%')`,
].join(' OR ')})`;

const mark = `
  WITH part AS MATERIALIZED (SELECT filename FROM uploads WHERE filename > $1 ORDER BY filename LIMIT ${marked}),
       found AS MATERIALIZED (
         SELECT u.filename, ${isShown} AS is_shown FROM part JOIN uploads u USING (filename)),
       changed AS (
         UPDATE uploads SET unused_since = CASE WHEN is_shown THEN NULL ELSE now() END
           FROM found WHERE found.filename = uploads.filename AND is_shown = (unused_since IS NOT NULL))
  SELECT max(filename) AS last FROM part`;

/** Passes over a picture that somebody begins to show at this moment. */
const lock = `
  SELECT filename FROM uploads WHERE unused_since < now() - $1::integer * interval '1 day'
   ORDER BY unused_since LIMIT ${removed} FOR UPDATE SKIP LOCKED`;

const remove = `
  WITH shown AS (
    UPDATE uploads u SET unused_since = NULL WHERE filename = ANY($1::text[]) AND ${isShown})
  DELETE FROM uploads u WHERE filename = ANY($1::text[]) AND NOT ${isShown} RETURNING kind, filename`;

type Stored = Pick<UploadEntity, 'kind' | 'filename'>;

/** The pictures that nothing shows. */
@Injectable()
export class UnusedUploadsRepository {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Notes which of the next pictures after `last` are in use; returns the last of them, null if there are none. */
  async mark(last: string): Promise<string | null> {
    return (await this.database.one<{ last: string | null }>(mark, [last])).last;
  }

  /**
   * Removes some that have been unused for so many days, and returns them; null if there are none. It looks for their
   * use in a statement of its own: that sees what was committed before the locks were taken.
   */
  remove(days: number): Promise<Stored[] | null> {
    return this.unitOfWork.run(async () => {
      const locked = await this.database.rows<{ filename: string }>(lock, [days]);
      if (locked.length === 0) return null;
      return this.database.rows<Stored>(remove, [locked.map(({ filename }) => filename)]);
    });
  }
}
