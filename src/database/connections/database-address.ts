import type { Settings } from '../../config/settings.js';

/** Where the service's PostgreSQL is. */
export class DatabaseAddress {
  constructor(
    /** Where requests and searches connect. */
    readonly url: string,
    /** Where clients connect that need a session of their own, past a pooler. */
    readonly directUrl: string,
    /** Whether statements are prepared at `url`. */
    readonly preparedStatements: boolean,
  ) {}

  /** The database at `url`, which leads to a pooler if DATABASE_URL_DIRECT is set. */
  static of(url: string, { databaseUrlDirect, preparedStatements }: Settings): DatabaseAddress {
    const directUrl = databaseUrlDirect ?? url;
    return new DatabaseAddress(url, directUrl, preparedStatements ?? directUrl === url);
  }

  /** Whether `url` leads to a pooler, which may give each transaction another session. */
  get isPooled(): boolean {
    return this.url !== this.directUrl;
  }
}
