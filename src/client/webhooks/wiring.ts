import { randomBytes, randomUUID } from 'node:crypto';
import type { Workflow, WorkflowAction } from '../../scanning/workflows/workflows.shapes.js';
import type { ApiClient } from '../api/api-client.js';
import { Failure } from '../failure.js';
import type { Wire } from '../wire.js';
import { parseUrl } from '../parse-url.js';

type Action = Wire<WorkflowAction>;

const path = '/store-webhooks-listen/';

/** An action of a client that was killed, and could not take it away. */
function isLeftBehind({ parameters: { url } }: Action): boolean {
  const parsed = parseUrl(url);
  return parsed?.hostname === '127.0.0.1' && parsed.pathname.startsWith(path);
}

function hinted(error: unknown, address: string): unknown {
  if (!(error instanceof Failure) || !/\.url: /.test(error.message)) return error;
  const hint = `The service does not send to ${address} as long as it is not started with EGRESS_ALLOW=127.0.0.1`;
  return new Failure(`${error.message}\n       ${hint}`, error.exitCode);
}

/** An action of a workflow that sends to this machine for a while. */
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

  /** Adds the action; the others stay as they are. */
  async attach(): Promise<Wire<Workflow>> {
    const { actions } = await this.workflow();
    const own = {
      type: 'EXPORT',
      integrationKind: 'WEBHOOK',
      enabled: true,
      parameters: { url: this.url, secret: this.secret },
    };
    try {
      return await this.save([...actions.filter((action) => !isLeftBehind(action)), own]);
    } catch (error) {
      throw hinted(error, this.url);
    }
  }

  /** Takes the action away; what else was changed meanwhile stays. */
  async detach(): Promise<void> {
    const { actions } = await this.workflow();
    const others = actions.filter(({ parameters }) => parameters.url !== this.url);
    if (others.length < actions.length) await this.save(others);
  }

  private workflow(): Promise<Wire<Workflow>> {
    return this.api.get<Wire<Workflow>>(`workflows/${this.workflowId}`);
  }

  private save(actions: unknown[]): Promise<Wire<Workflow>> {
    return this.api.send<Wire<Workflow>>('PATCH', `workflows/${this.workflowId}`, { actions });
  }
}
