import { databaseUrlProblem } from './database-url.js';
import type { EnvironmentReader } from './environment-reader.js';

const mostReplicas = 8;

/** Reads DATABASE_REPLICA_URLS. */
export function readReplicaUrls(read: EnvironmentReader): string[] {
  const takes = `up to ${mostReplicas} URLs such as postgres://user:password@host:5432/database, separated by commas`;
  const urlsIn = (text: string) => text.split(',').map((url) => url.trim());
  const text = read.secret('DATABASE_REPLICA_URLS', takes, (value) => {
    const urls = urlsIn(value);
    return (
      urls.length <= mostReplicas &&
      new Set(urls).size === urls.length &&
      urls.every((url) => databaseUrlProblem(url) === undefined)
    );
  });
  if (text === undefined) return [];
  if (read.text('DATABASE_URL') === undefined) {
    read.problems.push('DATABASE_REPLICA_URLS are replicas of a database of your own: set DATABASE_URL to it');
  }
  return urlsIn(text);
}
