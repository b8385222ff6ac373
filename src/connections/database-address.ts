import { type DatabaseWay, wayTo } from './failover/database-way.js';

/** Where the service's PostgreSQL is. */
export class DatabaseAddress {
  /** How requests and searches connect. */
  readonly way: DatabaseWay;
  /** How that connects which needs a session of the server while it lasts. */
  readonly directWay: DatabaseWay;

  constructor(
    readonly url: string,
    readonly directUrl: string,
    /** Whether statements are prepared at `url`. */
    readonly preparedStatements: boolean,
  ) {
    this.directWay = wayTo(directUrl);
    this.way = this.isPooled ? wayTo(url, true) : this.directWay;
  }

  /** Whether `url` leads to a pooler, which may give each transaction another session. */
  get isPooled(): boolean {
    return this.url !== this.directUrl;
  }
}
