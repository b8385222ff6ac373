import autocannon from 'autocannon';
import type { Measurement } from './bench-row.js';
import type { Contestant } from './contestants.js';
import type { Load } from './pace.js';
import type { BenchPath, BenchRequest } from './paths.js';

/** Anything that takes requests. */
export type Asked = Pick<Contestant, 'baseUrl' | 'asShopper' | 'asOrganization'>;

function headersOf({ from, shopper, body, type }: BenchRequest, contestant: Asked, connection: number) {
  return {
    ...(from === 'shopper' ? contestant.asShopper(shopper ?? connection) : {}),
    ...(from === 'organization' ? contestant.asOrganization : {}),
    ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
  };
}

/** Such as `8 answers were 503`. */
function failuresOf({ statusCodeStats, errors, timeouts }: autocannon.Result): string[] {
  const counts = Object.entries(statusCodeStats ?? {}).map(([status, { count }]) => [status, count ?? 0] as const);
  const answered = counts.filter(([status]) => !status.startsWith('2'));
  return [
    ...answered.map(([status, count]) => `${count} answers were ${status}`),
    ...(errors > timeouts ? [`${errors - timeouts} connections were lost`] : []),
    ...(timeouts > 0 ? [`${timeouts} answers did not come in time`] : []),
  ];
}

/** Sends requests to a contestant, each connection as fast as responses come. */
export async function ask(path: BenchPath, contestant: Asked, load: Load): Promise<Measurement> {
  let connection = 0;
  const result = await autocannon({
    url: contestant.baseUrl,
    connections: path.connections,
    timeout: 60,
    sampleInt: 100, // how precisely it ends when its time or its requests are over
    ...('seconds' in load ? { duration: load.seconds } : { amount: load.requests }),
    setupClient: (client) => {
      connection += 1;
      client.setRequests(
        path.requestsOf(connection).map((request) => {
          const { method, path: address, body } = request;
          const headers = headersOf(request, contestant, connection);
          return { method, path: address, headers, ...(body === undefined ? {} : { body }) };
        }),
      );
    },
  });
  return {
    rate: result['2xx'] / result.duration,
    p99Milliseconds: result.latency.p99,
    failures: failuresOf(result),
  };
}
