import type { StoreClient, Workflow, WorkflowAction, WorkflowUpdate } from '@store-service/sdk';
import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { anewIfChanged } from '../api/anew.js';
import { Failure } from '../failure.js';
import { parseUrl } from '../parse-url.js';

const hookPath = '/store-webhooks-listen/';

const connectMs = 1_000;

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: connectMs });
    const settle = (is: boolean) => () => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', settle(true)).once('error', settle(false)).once('timeout', settle(false));
  });
}

/** Whether an action belongs to a client that was killed before it could remove it; one that listens still needs it. */
async function isLeftBehind({ parameters: { url } }: WorkflowAction): Promise<boolean> {
  const parsed = parseUrl(url ?? '');
  if (parsed?.hostname !== '127.0.0.1' || !parsed.pathname.startsWith(hookPath)) return false;
  return !(await isListening(Number(parsed.port)));
}

function hinted(error: unknown, address: string): unknown {
  if (!(error instanceof Failure) || !/\.url: /.test(error.message)) return error;
  const hint = `The service does not send to ${address} as long as it is not started with EGRESS_ALLOW=127.0.0.1`;
  return new Failure(`${error.message}\n       ${hint}`, error.exitCode);
}

/** A temporary action of a workflow that sends to this machine. */
export class Wiring {
  readonly secret = `whsec_${randomBytes(32).toString('base64')}`;
  private readonly url: string;

  constructor(
    private readonly api: StoreClient,
    private readonly workflowId: string,
    port: number,
  ) {
    this.url = `http://127.0.0.1:${port}${hookPath}${randomUUID()}`;
  }

  /** Adds the action; the others are kept. */
  async attach(): Promise<Workflow> {
    const own = {
      type: 'EXPORT',
      integrationKind: 'WEBHOOK',
      enabled: true,
      parameters: { url: this.url, secret: this.secret },
    };
    try {
      return await this.change(async (actions) => {
        const left = await Promise.all(actions.map(isLeftBehind));
        return [...actions.filter((_, at) => !left[at]), own];
      });
    } catch (error) {
      throw hinted(error, this.url);
    }
  }

  /** Removes the action; other changes made meanwhile are kept. */
  async detach(): Promise<void> {
    await this.change((actions) => actions.filter(({ parameters }) => parameters.url !== this.url));
  }

  /** Changes the current actions: what others change at the same time stays. */
  private change(changed: (actions: WorkflowAction[]) => object[] | Promise<object[]>): Promise<Workflow> {
    const path = { id: this.workflowId };
    return anewIfChanged(async () => {
      const { data: workflow, response } = await this.api.workflows.get({ path });
      const actions = await changed(workflow.actions);
      if (actions.length === workflow.actions.length && actions.every((action, at) => action === workflow.actions[at]))
        return workflow;
      const headers = { 'If-Match': response.headers.get('etag') ?? undefined };
      return (await this.api.workflows.update({ path, body: { actions } as WorkflowUpdate, headers })).data;
    });
  }
}
