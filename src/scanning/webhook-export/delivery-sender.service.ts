import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobRunner } from '../../jobs/job-runner.js';
import type { JobContext } from '../../jobs/task.js';
import { ActionSecrets, type SealedParameters } from '../workflows/action-secrets.js';
import { AttemptBook } from './attempt-book.js';
import type { Claim, DueDelivery } from './attempts.repository.js';
import { deliveryTask } from '../workflows/cancellations.repository.js';
import { PayloadStore } from './payload-store.js';
import { receiverMarks, Receivers } from './receivers.js';
import { WebhookPost } from './webhook-post.js';

interface Ready {
  claim: Claim;
  due: DueDelivery;
  actionId: string;
  parameters: SealedParameters;
  marks: string[];
}

/** Makes the attempts of deliveries: one job an attempt, and never two of a delivery at once. */
@Injectable()
export class DeliverySender implements OnModuleInit {
  private readonly inHand = new Set<string>();

  constructor(
    private readonly book: AttemptBook,
    private readonly post: WebhookPost,
    private readonly payloads: PayloadStore,
    private readonly receivers: Receivers,
    private readonly secrets: ActionSecrets,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    const passOver = (): string[] => this.receivers.full();
    this.jobs.register(deliveryTask, (payload, context) => this.handle(payload, context), {
      lane: 'outbound',
      passOver,
    });
  }

  private async handle(payload: unknown, { workerId, signal }: JobContext): Promise<void> {
    const { deliveryId, turn } = payload as { deliveryId: string; turn: number };
    if (this.inHand.has(deliveryId)) return;
    this.inHand.add(deliveryId);
    try {
      await this.prepare({ deliveryId, turn, workerId }, signal);
    } finally {
      this.inHand.delete(deliveryId);
    }
  }

  private async prepare(claim: Claim, signal: AbortSignal): Promise<void> {
    const due = await this.book.due(claim);
    if (!due) return;
    if (!due.action) return this.book.cancel(claim);
    const { id: actionId, sealed } = due.action;
    const parameters = this.secrets.open(actionId, sealed);
    const receiver = { organizationId: due.organizationId, url: parameters.url };
    const marks = receiverMarks(receiver);
    const place = await this.receivers.take(receiver);
    if (!place) return this.book.putOff(claim, marks);
    const started = Date.now();
    try {
      await this.attempt({ claim, due, actionId, parameters, marks }, signal);
    } finally {
      place.leave(Date.now() - started);
    }
  }

  private async attempt({ claim, due, actionId, parameters, marks }: Ready, signal: AbortSignal): Promise<void> {
    const number = await this.book.begin(claim, parameters.url);
    if (number === null) return;
    const attempt = { claim, number, actionId, failures: due.failures, marks };
    const body = this.payloads.body(due.runId, due.rootBytes ?? {}, due.resources);
    const started = Date.now();
    try {
      await this.book.record(attempt, await this.post.send(due.id, parameters, body, signal));
    } catch (error) {
      if (!signal.aborted) throw error;
      await this.book.interrupted(attempt, Date.now() - started);
    }
  }
}
