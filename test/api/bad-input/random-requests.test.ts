import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { residentBytesOf } from '../../support/process-usage.js';
import { faultOfAnswer } from '../../support/refusals.js';
import { type RandomRequest, randomRequests } from '../../support/random-requests.js';
import { type RunningService, startRunningService } from '../../support/running-service.js';

/** `RANDOM_SEED=… npm test -- test/api/bad-input/random-requests` sends the same requests again. */
const seed = Number(process.env['RANDOM_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const count = 5_000;
const atOnce = 8;
const inTurn = 50;
/** Steps of a batch of requests: a few million are usual for the first ones, far fewer later. */
const mostSteps = 40_000_000;
/** A request without a response by then gets none at all. */
const patienceMs = 120_000;
const mostGrowth = 50 * 2 ** 20;

interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Previews fetch other addresses, and what cannot be fetched is a 502. */
function maySayBadGateway({ route }: RandomRequest): boolean {
  return /\/(fetch-url|import-from-url)$/.test(route);
}

function shown({ method, address, headers, body }: RandomRequest): string {
  const sent = body === undefined ? '' : ` ${JSON.stringify(body.subarray(0, 300).toString('latin1'))}`;
  return `${method} ${address.slice(0, 300)} ${JSON.stringify(headers)}${sent}`;
}

describe.each(['contract', 'hardened'])(`Random requests under the policy %s, with RANDOM_SEED=${seed},`, (policy) => {
  let service: RunningService;
  let idle: number | undefined;
  const statuses = new Map<number, number>();
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  beforeAll(async () => {
    service = await startRunningService({ ACCESS_POLICY: policy, EGRESS_ALLOW: '127.0.0.1' });
  }, 300_000);
  afterAll(async () => {
    agent.destroy();
    await service.stop();
  });

  function send({ method, address, headers, body }: RandomRequest, signedIn: boolean): Promise<Answer> {
    const { hostname, port } = new URL(service.baseUrl);
    const caller = signedIn
      ? { authorization: `Bearer ${service.token}`, 'x-organization-id': service.organizationId }
      : {};
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    return new Promise((resolve, reject) => {
      const options = { hostname, port, method, path: address, agent, headers: { ...caller, ...length, ...headers } };
      const sent = request({ ...options, timeout: patienceMs }, (response) => {
        const chunks: Buffer[] = [];
        const settle = () => {
          const { statusCode: status = 0 } = response;
          const received = new Headers(
            Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]),
          );
          const isJson = received.get('content-type')?.startsWith('application/json') && chunks.length > 0;
          const text = Buffer.concat(chunks).toString();
          const read: unknown = isJson ? JSON.parse(text) : text;
          resolve({ status, headers: received, body: read });
        };
        response.on('error', reject);
        // A stream of events never ends.
        if (response.headers['content-type']?.startsWith('text/event-stream')) {
          settle();
          response.off('error', reject).on('error', () => undefined);
          response.destroy();
          return;
        }
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', settle);
      });
      sent.on('timeout', () => sent.destroy(new Error('no answer')));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** The fault in the response to a request, or null. */
  async function faultOf(one: RandomRequest, signedIn: boolean): Promise<string | null> {
    try {
      const answer = await send(one, signedIn);
      const { status } = answer;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500 && !(status === 502 && maySayBadGateway(one)))
        return `${status} ${JSON.stringify(answer.body)} to ${shown(one)}`;
      const fault = status >= 500 || one.method === 'HEAD' ? null : faultOfAnswer(answer);
      return fault && `${fault}: ${shown(one)}`;
    } catch (error) {
      return service.isAlive() ? `${String(error)} for ${shown(one)}` : `the end of the process: ${shown(one)}`;
    }
  }

  async function faultsOf(requests: RandomRequest[]): Promise<string[]> {
    const faults: string[] = [];
    for (let at = 0; at < requests.length && service.isAlive(); at += inTurn) {
      const some = requests.slice(at, at + inTurn);
      faults.push(...(await faultsOfSome(some)));
      const steps = await service.work.steps();
      if (steps > mostSteps) faults.push(`${steps} steps for ${some.map(shown).join('\n')}`);
    }
    return faults;
  }

  async function faultsOfSome(requests: RandomRequest[]): Promise<string[]> {
    const faults: string[] = [];
    const waiting = requests.entries();
    const sender = async (): Promise<void> => {
      for (const [at, one] of waiting) {
        const fault = await faultOf(one, at % 5 !== 0);
        if (fault) faults.push(fault);
        if (!service.isAlive()) return;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sender));
    return faults;
  }

  it('all get a response, and none a 500', async () => {
    const requests = fc.sample(randomRequests(service.operations), { seed, numRuns: count });
    await service.work.steps(); // those of the start
    // The first ones load and compile what the service needs.
    const faults = await faultsOf(requests.slice(0, 500));
    idle = residentBytesOf(service.pid);
    faults.push(...(await faultsOf(requests.slice(500))));
    expect({ seed, faults: faults.slice(0, 20) }).toEqual({ seed, faults: [] });
    const successes = [...statuses].filter(([status]) => status < 300).reduce((sum, [, times]) => sum + times, 0);
    expect(successes).toBeGreaterThan(count / 10);
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 401, 404, 405, 415, 422]));
  }, 600_000);

  it('leave the service healthy', async () => {
    expect(service.ailments).toEqual([]);
    expect(service.isAlive()).toBe(true);
    const grown = () => (residentBytesOf(service.pid) ?? 0) - (idle ?? Infinity);
    const deadline = Date.now() + 60_000;
    while (grown() > mostGrowth && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 500));
    expect(grown()).toBeLessThanOrEqual(idle === undefined ? Infinity : mostGrowth);
  });
});
