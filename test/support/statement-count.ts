import { jest } from '@jest/globals';
import { Client, type QueryConfig } from 'pg';
import { statementName } from '../../src/database/database.js';

/** The statements of a node beside requests: its job queue, notices between nodes, new connections, and checks of silent ones. */
const besideRequests = /graphile_worker|pg_notify|\bLISTEN\b|^SET enable_seqscan|^SELECT$/;
/** A prepared statement of a module, `orders.place`: part of a request even if it queues a job on the way. */
const ofModule = /^[a-z-]+\.[a-z-]+$/;
/** The check of the token: one statement, or none if the account was checked a moment ago. */
const lookAtToken = 'users.account-state';
/** What a node writes by the clock: of itself, and of requests that were slow, as any is on a busy machine. */
const byTheClock = /^(nodes|noted-requests)\./;

/**
 * Runs `work` and returns the statements that this process sent to PostgreSQL for its requests meanwhile, except the check of
 * the token and what is written by the clock: prepared ones by name, others by text. `work` must not query the database itself.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await work();
    const sent: (string | QueryConfig)[] = query.mock.calls.map(([first]) => first);
    return sent
      .map((one) => (typeof one === 'string' ? { text: one } : one))
      .map(({ name, text }) => ({ name: name ?? statementName(text), text }))
      .filter((one) => !isBesideRequests(one))
      .map(({ name, text }) => name ?? text)
      .filter((name) => name !== lookAtToken && !byTheClock.test(name));
  } finally {
    query.mockRestore();
  }
}

function isBesideRequests({ name = '', text }: QueryConfig): boolean {
  return !ofModule.test(name) && besideRequests.test(text);
}
