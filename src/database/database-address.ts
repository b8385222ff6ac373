/** Where the service's PostgreSQL is. */
export class DatabaseAddress {
  constructor(
    /** Where requests and searches connect. */
    readonly url: string,
    /** Where a connection is one session of the server while it lasts. */
    readonly directUrl: string,
    /** Whether statements are prepared at `url`. */
    readonly preparedStatements: boolean,
  ) {}

  /** Whether `url` leads to a pooler, which may give each transaction another session. */
  get isPooled(): boolean {
    return this.url !== this.directUrl;
  }
}
