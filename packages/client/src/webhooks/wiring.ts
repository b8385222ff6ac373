import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import type { Workflow, WorkflowAction } from '../../../../src/scanning/workflows/workflows.dto.js';
import type { ApiClient } from '../api/api-client.js';
import { ChangedMeanwhile, Failure } from '../failure.js';
import type { Wire } from '../wire.js';
import { parseUrl } from '../parse-url.js';

type Action = Wire<WorkflowAction>;

const path = '/store-webhooks-listen/';

const mostTries = 5;
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
async function isLeftBehind({ parameters: { url } }: Action): Promise<boolean> {
  const parsed = parseUrl(url);
  if (parsed?.hostname !== '127.0.0.1' || !parsed.pathname.startsWith(path)) return false;
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
    private readonly api: ApiClient,
    private readonly workflowId: string,
    port: number,
  ) {
    this.url = `http://127.0.0.1:${port}${path}${randomUUID()}`;
  }

  /** Adds the action; the others are kept. */
  async attach(): Promise<Wire<Workflow>> {
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

  /** Changes the current actions; if somebody else changes them at the same time, starts over from theirs. */
  private async change(changed: (actions: Action[]) => unknown[] | Promise<unknown[]>): Promise<Wire<Workflow>> {
    const resource = `workflows/${this.workflowId}`;
    for (let tries = 1; ; tries++) {
      const { body, etag } = await this.api.getVersioned<Wire<Workflow>>(resource);
      const actions = await changed(body.actions);
      if (actions.length === body.actions.length && actions.every((action, at) => action === body.actions[at]))
        return body;
      try {
        return await this.api.send<Wire<Workflow>>('PATCH', resource, { actions }, etag);
      } catch (error) {
        if (!(error instanceof ChangedMeanwhile) || tries >= mostTries) throw error;
      }
    }
  }
}
