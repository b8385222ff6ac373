import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobRunner } from '../jobs/job-runner.js';
import type { JobContext } from '../jobs/task.js';
import { AttemptLog } from './attempt-log.js';
import type { Claim } from './attempts.repository.js';
import type { DeliveryUser, DueDelivery } from './delivery-user.js';
import { receiverFlags, Receivers } from './receivers.js';
import { WebhookPost } from './webhook-post.js';

type Receiver = NonNullable<DueDelivery['receiver']>;

/** Makes the attempts of deliveries: one job for each, queued again where it was lost, and never two of a delivery at once. */
@Injectable()
export class DeliverySender implements OnModuleInit {
  private readonly users: DeliveryUser[] = [];
  private readonly inHand = new Set<string>();

  constructor(
    private readonly log: AttemptLog,
    private readonly post: WebhookPost,
    private readonly receivers: Receivers,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    this.jobs.registerRecurring({
      name: 'webhook-lost-jobs',
      everySeconds: 60,
      deadlineSeconds: 50,
      handler: () => this.queueMissing(),
    });
  }

  /** Makes the attempts of a user's deliveries; to be called when the service starts. */
  add(user: DeliveryUser): void {
    this.users.push(user);
    this.jobs.register(user.task, (payload, context) => this.handle(user, payload, context), {
      queue: 'outbound',
      deadlineSeconds: 120,
      forbiddenFlags: () => this.receivers.full(),
    });
  }

  private async queueMissing(): Promise<void> {
    for (const user of this.users) await this.log.queueMissing(user);
  }

  private async handle(user: DeliveryUser, payload: unknown, { workerId, signal }: JobContext): Promise<void> {
    const { deliveryId, turn: sequence } = payload as { deliveryId: string; turn: number };
    // The next job of a delivery may begin before the last one has returned from its commit.
    const job = `${deliveryId}:${sequence}`;
    if (this.inHand.has(job)) return;
    this.inHand.add(job);
    try {
      await this.prepare({ user, deliveryId, sequence, workerId }, signal);
    } finally {
      this.inHand.delete(job);
    }
  }

  private async prepare(claim: Claim, signal: AbortSignal): Promise<void> {
    const due = await claim.user.due(claim);
    if (!due) return;
    const { receiver, sender } = due;
    if (!receiver) return this.log.cancel(claim);
    const address = { sender, url: receiver.parameters.url };
    const flags = receiverFlags(address);
    const slot = await this.receivers.acquire(address);
    if (!slot) return this.log.postpone(claim, flags);
    const started = Date.now();
    try {
      await this.attempt(claim, due, receiver, flags, signal);
    } finally {
      slot.release(Date.now() - started);
    }
  }

  private async attempt(
    claim: Claim,
    { messageId, failures, body }: DueDelivery,
    { id: receiverId, parameters }: Receiver,
    flags: string[],
    signal: AbortSignal,
  ): Promise<void> {
    const number = await this.log.begin(claim, parameters.url);
    if (number === null) return;
    const attempt = { claim, number, receiverId, failures, flags };
    const started = Date.now();
    try {
      await this.log.record(attempt, await this.post.send(messageId, parameters, body, signal));
    } catch (error) {
      if (!signal.aborted) throw error;
      await this.log.interrupted(attempt, Date.now() - started);
    }
  }
}
