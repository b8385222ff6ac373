import { jest } from '@jest/globals';
import { Client, type QueryConfig } from 'pg';

/**
 * Runs `work` and answers the statements that this process sent to PostgreSQL meanwhile: the names of prepared ones, the
 * text of others. `work` must not query by itself.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await work();
    const sent: (string | QueryConfig)[] = query.mock.calls.map(([first]) => first);
    return sent.map((one) => (typeof one === 'string' ? one : (one.name ?? one.text)));
  } finally {
    query.mockRestore();
  }
}
