import pg from 'pg';
import { databaseHosts, isPrimaryAsked } from '../../config/database-url.js';
import { Primary } from './primary.js';
import { primaryClient } from './primary-client.js';

/** How connections to a database are made: those to the one host of its URL, or to the primary among several. */
export interface DatabaseWay {
  connectionString: string;
  Client: typeof pg.Client;
  /** Where the primary is looked for. */
  primary: Primary | null;
}

/** The way to the database at `url`, or to the poolers there. Where it has a `primary`, that is to `rest` at last. */
export function wayTo(url: string, isPooled = false): DatabaseWay {
  if (!isPrimaryAsked(url)) return { connectionString: url, Client: pg.Client, primary: null };
  const primary = new Primary(url, isPooled);
  return { connectionString: databaseHosts(url)[0]?.url ?? url, Client: primaryClient(primary), primary };
}
