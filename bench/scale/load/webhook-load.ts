import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PersistentCaller } from './persistent-caller.js';

/** The one asset that each run sends. */
const search = 'shop-499.example.com';

/** Runs of a workflow, and the receiver of what they send. */
export class WebhookLoad {
  /** The runs that were answered. */
  readonly runs: string[] = [];
  /** How often each delivery arrived. */
  readonly arrived = new Map<string, number>();
  private workflowId = '';
  private readonly server = createServer((request, response) => this.take(request, response));

  constructor(
    private readonly caller: PersistentCaller,
    private readonly headers: Record<string, string>,
  ) {}

  async open(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
    const secret = `whsec_${randomBytes(32).toString('base64')}`; // what is signed bears the id of its delivery
    const actions = [{ type: 'EXPORT', integrationKind: 'WEBHOOK', parameters: { url, secret } }];
    const workflow = { name: 'Export', trigger: { type: 'MANUAL' }, conditions: { search }, actions };
    const body = JSON.stringify(workflow);
    const call = { method: 'POST', path: '/api/v1/workflows', headers: this.headers, body } as const;
    this.workflowId = (await this.caller.persist<{ id: string }>(call)).id;
  }

  async run(): Promise<void> {
    const path = `/api/v1/workflows/${this.workflowId}/run`;
    const { runId } = await this.caller.persist<{ runId: string }>({ method: 'POST', path, headers: this.headers });
    this.runs.push(runId);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const id = String(request.headers['webhook-id']);
    request.resume().on('end', () => {
      this.arrived.set(id, (this.arrived.get(id) ?? 0) + 1);
      response.writeHead(204).end();
    });
  }
}
