import { describe, expect, it } from '@jest/globals';
import { digestOf, firstDifference } from '../../simulation/canonical.js';
import type { HistoryEntry, RequestEntry } from '../../simulation/history.js';

const ids = ['0ffdc2b7-7e19-4dad-9de2-7c04f10e7000', '7e6c8261-dbb7-40ab-b354-5743e2edcc95'] as const;

function request(path: string, body: unknown): RequestEntry {
  const at = '2027-06-01T06:00:00.000Z';
  const answer = { status: 200, headers: { 'x-request-id': String(Math.random()) }, body };
  return {
    n: 0,
    at,
    kind: 'request',
    node: 0,
    client: 'one',
    sentAt: at,
    sentN: 0,
    method: 'GET',
    path,
    headers: {},
    body: null,
    answer,
  };
}

describe('canonical histories', () => {
  it('are equal where only ids differ', () => {
    const [one, other] = ids.map((id): HistoryEntry[] => [request('/a', { id }), request(`/a/${id}`, { id })]);
    expect(digestOf(one ?? [])).toBe(digestOf(other ?? []));
  });

  it('differ where an id is that of something else', () => {
    const one = [request('/a', { id: ids[0] }), request('/b', { id: ids[1] }), request(`/a/${ids[0]}`, null)];
    const other = [request('/a', { id: ids[0] }), request('/b', { id: ids[1] }), request(`/a/${ids[1]}`, null)];
    expect(firstDifference(one, other)?.n).toBe(2);
  });

  it('differ where one goes on', () => {
    expect(firstDifference([request('/a', 1)], [request('/a', 1), request('/a', 1)])?.n).toBe(1);
    expect(firstDifference([request('/a', 1)], [request('/a', 1)])).toBeNull();
  });
});
