import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import type { JobContext, TaskHandler } from '../../platform/jobs/task.js';
import { ActionSecrets, type SealedParameters } from '../workflows/action-secrets.js';
import { deliveryTask } from '../workflows/workflow-tasks.js';
import { AttemptLog } from './attempt-log.js';
import type { Claim, DueDelivery } from './attempts.repository.js';
import { PayloadStore } from './payload-store.js';
import { receiverFlags, Receivers } from './receivers.js';
import { WebhookPost } from './webhook-post.js';

interface Ready {
  claim: Claim;
  due: DueDelivery;
  actionId: string;
  parameters: SealedParameters;
  flags: string[];
}

/** Makes the attempts of deliveries: one job for each, queued again where it was lost, and never two of a delivery at once. */
@Injectable()
export class DeliverySender implements OnModuleInit {
  private readonly inHand = new Set<string>();

  constructor(
    private readonly log: AttemptLog,
    private readonly post: WebhookPost,
    private readonly payloads: PayloadStore,
    private readonly receivers: Receivers,
    private readonly secrets: ActionSecrets,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    const forbiddenFlags = (): string[] => this.receivers.full();
    const handler: TaskHandler = (payload, context) => this.handle(payload, context);
    this.jobs.register(deliveryTask, handler, { queue: 'outbound', deadlineSeconds: 120, forbiddenFlags });
    this.jobs.registerRecurring({
      name: 'webhook-lost-jobs',
      everySeconds: 60,
      deadlineSeconds: 50,
      handler: () => this.log.queueMissing(),
    });
  }

  private async handle(payload: unknown, { workerId, signal }: JobContext): Promise<void> {
    const { deliveryId, turn: sequence } = payload as { deliveryId: string; turn: number };
    // The next job of a delivery may begin before the last one has returned from its commit.
    const job = `${deliveryId}:${sequence}`;
    if (this.inHand.has(job)) return;
    this.inHand.add(job);
    try {
      await this.prepare({ deliveryId, sequence, workerId }, signal);
    } finally {
      this.inHand.delete(job);
    }
  }

  private async prepare(claim: Claim, signal: AbortSignal): Promise<void> {
    const due = await this.log.due(claim);
    if (!due) return;
    if (!due.action) return this.log.cancel(claim);
    const { id: actionId, sealed } = due.action;
    const parameters = this.secrets.open(actionId, sealed);
    const receiver = { organizationId: due.organizationId, url: parameters.url };
    const flags = receiverFlags(receiver);
    const slot = await this.receivers.acquire(receiver);
    if (!slot) return this.log.postpone(claim, flags);
    const started = Date.now();
    try {
      await this.attempt({ claim, due, actionId, parameters, flags }, signal);
    } finally {
      slot.release(Date.now() - started);
    }
  }

  private async attempt({ claim, due, actionId, parameters, flags }: Ready, signal: AbortSignal): Promise<void> {
    const number = await this.log.begin(claim, parameters.url);
    if (number === null) return;
    const attempt = { claim, number, actionId, failures: due.failures, flags };
    const body = this.payloads.body(due, due.rootBytes ?? {}, due.resources);
    const started = Date.now();
    try {
      await this.log.record(attempt, await this.post.send(due.id, parameters, body, signal));
    } catch (error) {
      if (!signal.aborted) throw error;
      await this.log.interrupted(attempt, Date.now() - started);
    }
  }
}
