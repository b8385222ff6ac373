import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Receivers } from '../../platform/delivery/receivers.js';
import { WebhookPost } from '../../platform/delivery/webhook-post.js';
import { Conflict, TooManyRequests } from '../../platform/errors/errors.js';
import { ActionSecrets } from '../workflows/action-secrets.js';
import { rootsOf } from '../workflows/subjects.js';
import type { Notice } from '../notifications/notice.js';
import type { StoredAction } from '../workflows/workflow-action.entity.js';
import { WorkflowsService } from '../workflows/workflows.service.js';
import { isExport, sends } from './export-plan.js';
import { ExportsRepository } from './exports.repository.js';
import { noMails, noMembers, RunNotices } from './run-notices.js';
import { samplePayload } from './sample-payload.js';
import type { TestSend, TestSendResult } from './test-sends.dto.js';

/** A hanging receiver holds its slot for long: an organization has few, so that those of others go on. */
const bounds = { atOnce: 16, atOncePerKey: 2, waiting: 128, waitingPerKey: 8, waitMs: 60_000 };
const retrySeconds = 15;
const busy = 'Too many deliveries to this receiver are in progress: try again in a few seconds';

/** Sends samples, so that users can try a receiver before any event. */
@Injectable()
export class TestSendsService {
  private readonly semaphore = new FairSemaphore(bounds);

  constructor(
    private readonly workflows: WorkflowsService,
    private readonly exports: ExportsRepository,
    private readonly secrets: ActionSecrets,
    private readonly receivers: Receivers,
    private readonly post: WebhookPost,
    private readonly notices: RunNotices,
  ) {}

  /**
   * Sends a sample of the payloads of the workflow's trigger, with `"test": true` at its root, to each enabled action, and returns
   * the results; neither retries nor keeps it. `NotFound`, `Conflict` for a workflow that is disabled or has no enabled action,
   * `TooManyRequests` where too many wait, or one waited for too long.
   */
  async send({ organizationId }: OrganizationCaller, workflowId: string): Promise<TestSend> {
    const workflow = await this.workflows.stored(organizationId, workflowId);
    if (!workflow.enabled) throw new Conflict('The workflow is disabled: enable it first', 'workflow_disabled');
    const actions = workflow.actions.filter(({ enabled }) => enabled);
    if (actions.length === 0) throw new Conflict('All actions are disabled: enable one first', 'action_disabled');
    const { variant, name } = await this.exports.organizationOf(organizationId);
    const subject = { organization: { id: organizationId, name }, workflow, trigger: workflow.triggerType };
    const notice = this.notices.sample(subject);
    const send = (action: StoredAction): Promise<TestSendResult> => {
      if (action.kind === 'EMAIL') return this.mail(organizationId, action, notice);
      if (!isExport(action)) {
        const [body = Buffer.alloc(0)] = this.notices.bodiesOf(action, notice, notice.items);
        return this.sendTo(organizationId, action, body);
      }
      const roots = rootsOf(workflow.triggerType).filter((root) => sends(action, root));
      return this.sendTo(organizationId, action, Buffer.from(JSON.stringify(samplePayload(variant, roots))));
    };
    const sendAll = async (): Promise<TestSend> => ({ results: await Promise.all(actions.map(send)) });
    const sentence = 'Too many samples are being sent: try again in a few seconds';
    const refusal = () => new TooManyRequests(sentence, retrySeconds, 'tests_busy');
    return this.semaphore.run(sendAll, { key: organizationId, refusal });
  }

  /** A mail is delivered once it is in the queue. */
  private async mail(organizationId: string, action: StoredAction, notice: Notice): Promise<TestSendResult> {
    const mailed = await this.notices.mail(organizationId, action, notice);
    const error = mailed === null ? noMails : mailed === 0 ? noMembers : null;
    return { actionId: action.id, delivered: error === null, statusCode: null, error, durationMs: 0, response: null };
  }

  private async sendTo(
    organizationId: string,
    { id: actionId, sealed }: StoredAction,
    bytes: Buffer,
  ): Promise<TestSendResult> {
    const parameters = this.secrets.open(actionId, sealed);
    const slot = await this.receivers.acquire({ sender: organizationId, url: parameters.url });
    const unsent = { delivered: false, statusCode: null, error: busy, durationMs: 0, response: null };
    if (!slot) return { actionId, ...unsent };
    const started = Date.now();
    try {
      const body = { length: bytes.length, open: () => Readable.from([bytes]) };
      const outcome = await this.post.send(uuidV7(), parameters, body, new AbortController().signal);
      const { delivered, statusCode, error, durationMs, response } = outcome;
      return { actionId, delivered, statusCode, error, durationMs, response };
    } finally {
      slot.release(Date.now() - started);
    }
  }
}
