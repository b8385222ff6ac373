import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { readFileSync } from 'node:fs';
import { until } from './receiver.js';
import type { ServiceProcess } from './service-process.js';

export interface PinnedAnswer {
  status: number;
  body: string;
  headers: Record<string, string | string[] | undefined>;
}

/** Longer than anything that a test holds up. */
const patienceMs = 30_000;
/** The service closes a connection after five idle seconds, perhaps while the next request is on its way. */
const idleMs = 4_000;

interface Asked {
  json?: unknown;
  headers?: Record<string, string>;
}

/** A single connection, served by one worker from its first request on. If it is lost, the next request opens another. */
export class PinnedConnection {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private answeredAt = performance.now();

  constructor(private readonly baseUrl: string) {}

  async ask(method: string, path: string, asked: Asked = {}): Promise<PinnedAnswer> {
    const wasIdle = performance.now() - this.answeredAt > idleMs;
    const answer = await this.send(method, path, asked).catch((error: unknown) => {
      if (!wasIdle) throw error;
      return this.send(method, path, asked);
    });
    this.answeredAt = performance.now();
    return answer;
  }

  private send(method: string, path: string, { json, headers = {} }: Asked): Promise<PinnedAnswer> {
    const body = json === undefined ? '' : JSON.stringify(json);
    const sent = { ...headers, ...(body ? { 'content-type': 'application/json', 'content-length': body.length } : {}) };
    return new Promise((resolve, reject) => {
      const asked = request(this.baseUrl + path, { method, agent: this.agent, headers: sent }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
      });
      asked.on('error', reject);
      // A connection on its way to a worker that died may be accepted by none.
      asked.setTimeout(patienceMs, () => asked.destroy(new Error('No answer')));
      asked.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** The running child processes of a process, oldest first. */
export function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
}

/** A connection, and the process that serves it according to its log. */
async function connect(service: ServiceProcess): Promise<{ connection: PinnedConnection; pid: number }> {
  const connection = new PinnedConnection(service.baseUrl);
  const id = randomUUID();
  await connection.ask('GET', '/api/v1/products/0', { headers: { 'x-request-id': id } });
  // Pino's order: level, time, pid, hostname, then the request's id.
  const line = new RegExp(`"pid":(\\d+),"hostname":"[^"]*","reqId":"${id}"`);
  const pid = (): string | undefined => line.exec(service.output().slice(-200_000))?.[1];
  await until(() => pid() !== undefined, 'the line of a request in the log');
  return { connection, pid: Number(pid()) };
}

/** A connection to each of these processes. */
export async function connectTo(service: ServiceProcess, pids: readonly number[]): Promise<PinnedConnection[]> {
  const found = new Map<number, PinnedConnection>();
  while (pids.some((pid) => !found.has(pid))) {
    // A connection on its way to a dying worker is lost.
    const { connection, pid } = await connect(service).catch(() => ({ connection: null, pid: 0 }));
    if (!connection) continue;
    if (found.has(pid) || !pids.includes(pid)) connection.close();
    else found.set(pid, connection);
  }
  return pids.map((pid) => found.get(pid) as PinnedConnection);
}
