import autocannon from 'autocannon';
import type { Contestant } from './contestants.js';
import type { BenchPath } from './paths.js';

export interface Measurement {
  requestsPerSecond: number;
  p99Milliseconds: number;
  /** Answers that were no success: a measurement with any says nothing. */
  failures: number;
}

/** Asks a contestant for `seconds`, each connection as fast as it is answered. */
export async function measure(path: BenchPath, contestant: Contestant, seconds: number): Promise<Measurement> {
  let connection = 0;
  const result = await autocannon({
    url: contestant.baseUrl,
    connections: path.connections,
    duration: seconds,
    setupClient: (client) => {
      connection += 1;
      const own = contestant.as(connection);
      client.setRequests(
        path.requestsOf(connection).map(({ signedIn, ...request }) => ({
          ...request,
          headers: { ...(signedIn ? own : {}), ...(request.body ? { 'content-type': 'application/json' } : {}) },
        })),
      );
    },
  });
  return {
    requestsPerSecond: result.requests.average,
    p99Milliseconds: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
  };
}
