import type { Delivery } from '../../src/scanning/webhook-export/deliveries.dto.js';
import type { Workflow, WorkflowRun } from '../../src/scanning/workflows/workflows.dto.js';
import type { InsertedMember } from './organizations.js';
import { until } from './receiver.js';
import type { TestApp } from './test-app.js';

export interface WorkflowChoices {
  trigger?: Record<string, unknown>;
  conditions?: Record<string, unknown>;
  parameters?: Record<string, unknown>;
  [field: string]: unknown;
}

export type Read<T> = { [K in keyof T]: T[K] extends Date ? string : T[K] extends Date | null ? string | null : T[K] };

/** An action that sends to `url`. */
export function webhook(url: string, parameters: Record<string, unknown> = {}, fields: Record<string, unknown> = {}) {
  return { type: 'EXPORT', integrationKind: 'WEBHOOK', parameters: { url, ...parameters }, ...fields };
}

export interface WorkflowAnswer {
  id: string;
  detail: { loc: unknown[]; type: string; msg: string }[];
}

/** The pause between two looks at a run or delivery. */
const pauseMs = 60;

/** Calls the routes of workflows as one organization's admin. */
export class WorkflowCalls {
  constructor(
    private readonly service: TestApp,
    private readonly organization: { admin: Pick<InsertedMember, 'token'> },
  ) {}

  private get token(): string {
    return this.organization.admin.token;
  }

  /** Sends the request that makes a workflow, by default one that sends to `url`. */
  create(url: string, json: Record<string, unknown> = {}, token = this.token) {
    const whole = { name: 'Export', trigger: { type: 'MANUAL' }, actions: [webhook(url)], ...json };
    return this.service.api.post<WorkflowAnswer>('/api/v1/workflows', { token, json: whole });
  }

  /** The places named by the 422 for a workflow; null if it is made. */
  async refusedPlaces(url: string, json: Record<string, unknown>): Promise<unknown[] | null> {
    const { status, body } = await this.create(url, json);
    if (status === 201) return null;
    if (status !== 422) throw new Error(`Making a workflow answered ${status} ${JSON.stringify(body)}`);
    await this.refusedAsDraft(url, json, body.detail);
    return body.detail.map(({ loc }) => loc);
  }

  /** Throws unless the preview of the same draft is refused for the same reasons, save those of what a draft need not have. */
  private async refusedAsDraft(url: string, json: Record<string, unknown>, faults: WorkflowAnswer['detail']) {
    const { trigger = { type: 'MANUAL' }, conditions, actions = [webhook(url)] } = json;
    const draft = { trigger, conditions, actions };
    const { body } = await this.service.api.post<WorkflowAnswer>('/api/v1/workflows/preview', {
      token: this.token,
      json: draft,
    });
    const told = JSON.stringify(body.detail ?? null);
    for (const fault of faults) {
      const isOfDraft = typeof fault.loc[1] === 'string' && fault.loc[1] in draft;
      const isStillMissing = ['missing', 'too_short'].includes(fault.type) && fault.loc[1] === 'actions';
      if (isOfDraft && !isStillMissing && !told.includes(JSON.stringify(fault))) {
        throw new Error(`Saving refuses ${JSON.stringify(fault)}, and the preview answers ${told}`);
      }
    }
  }

  /** Makes a workflow that sends to `url`, and returns it. */
  async make(url: string, { trigger = { type: 'MANUAL' }, parameters = {}, ...rest }: WorkflowChoices = {}) {
    const json = { name: 'Export', trigger, actions: [webhook(url, parameters)], ...rest };
    const { status, body } = await this.service.api.post<Workflow>('/api/v1/workflows', { token: this.token, json });
    if (status !== 201) throw new Error(`Making a workflow answered ${status} ${JSON.stringify(body)}`);
    return body;
  }

  async run(workflowId: string): Promise<string> {
    const answer = await this.service.api.post<{ runId: string }>(`/api/v1/workflows/${workflowId}/run`, {
      token: this.token,
    });
    if (answer.status !== 202) throw new Error(`Running answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.runId;
  }

  async runs(workflowId: string): Promise<Read<WorkflowRun>[]> {
    const path = `/api/v1/workflows/${workflowId}/runs`;
    return (await this.service.api.get<{ data: Read<WorkflowRun>[] }>(path, { token: this.token })).body.data;
  }

  async deliveries(workflowId: string): Promise<Delivery[]> {
    const path = `/api/v1/workflows/${workflowId}/deliveries`;
    return (await this.service.api.get<{ data: Delivery[] }>(path, { token: this.token })).body.data;
  }

  async delivery(id: string): Promise<Delivery> {
    return (await this.service.api.get<Delivery>(`/api/v1/deliveries/${id}`, { token: this.token })).body;
  }

  async get(id: string): Promise<Workflow> {
    return (await this.service.api.get<Workflow>(`/api/v1/workflows/${id}`, { token: this.token })).body;
  }

  /** Waits until the workflow has this many runs that are not pending, and returns them, newest first. */
  async settledRuns(workflowId: string, count = 1): Promise<Read<WorkflowRun>[]> {
    let runs: Read<WorkflowRun>[] = [];
    await until(
      async () => {
        runs = await this.runs(workflowId);
        return runs.filter(({ status }) => status !== 'PENDING').length >= count;
      },
      `${count} settled runs`,
      pauseMs,
    );
    return runs;
  }

  /** Waits until the workflow's newest delivery has this status, and returns it. */
  async deliveryThatIs(workflowId: string, status: string): Promise<Delivery> {
    let newest: Delivery | undefined;
    await until(
      async () => {
        [newest] = await this.deliveries(workflowId);
        return newest?.status === status;
      },
      `a delivery that is ${status}; it is ${JSON.stringify(newest)}`,
      pauseMs,
    );
    if (!newest) throw new Error('There is no delivery');
    return newest;
  }

  replay(deliveryId: string, token = this.token) {
    return this.service.api.post(`/api/v1/deliveries/${deliveryId}/replay`, { token });
  }

  replayAll(workflowId: string, json: { since: Date; statuses?: string[] }) {
    return this.service.api.post(`/api/v1/workflows/${workflowId}/deliveries/replay`, { token: this.token, json });
  }

  patch(id: string, json: Record<string, unknown>) {
    return this.service.api.send<Workflow>('PATCH', `/api/v1/workflows/${id}`, { token: this.token, json });
  }

  remove(id: string) {
    return this.service.api.delete(`/api/v1/workflows/${id}`, { token: this.token });
  }
}
