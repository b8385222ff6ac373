import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DeliverySender } from '../../platform/delivery/delivery-sender.js';
import type { DeliveryUser, DueDelivery, DueJob } from '../../platform/delivery/delivery-user.js';
import { ActionSecrets } from '../workflows/action-secrets.js';
import { maySend } from '../workflows/senders.statements.js';
import { deliveryTask } from '../workflows/workflow-tasks.js';
import { WorkflowsService } from '../workflows/workflows.service.js';
import { ActionDeliveriesRepository } from './action-deliveries.repository.js';
import { DeliveryBodies } from './delivery-bodies.js';

/** The deliveries of workflows: to the receivers of their actions, with the frozen payloads of their runs. */
@Injectable()
export class ActionDeliveries implements DeliveryUser, OnModuleInit {
  readonly task = deliveryTask;
  readonly isOwn = 'd.run_id IS NOT NULL';

  constructor(
    private readonly repository: ActionDeliveriesRepository,
    private readonly workflows: WorkflowsService,
    private readonly bodies: DeliveryBodies,
    private readonly secrets: ActionSecrets,
    private readonly sender: DeliverySender,
  ) {}

  onModuleInit(): void {
    this.sender.add(this);
  }

  maySend(delivery: string): string {
    return maySend(`${delivery}.action_id`);
  }

  async due({ deliveryId, sequence }: DueJob): Promise<DueDelivery | null> {
    const due = await this.repository.due(deliveryId, sequence);
    if (!due) return null;
    const { action, failures, organizationId } = due;
    const receiver = action && { id: action.id, parameters: this.secrets.open(action.id, action.sealed) };
    const body = this.bodies.bodyOf({ id: deliveryId, ...due });
    return { messageId: deliveryId, failures, receiver, sender: organizationId, body };
  }

  lockReceiver(deliveryId: string): Promise<boolean> {
    return this.repository.lockSender(deliveryId);
  }

  async succeeded(actionId: string, deliveryId: string): Promise<void> {
    await this.workflows.actionSucceeded(actionId);
    await this.repository.queueNextPart(deliveryId);
  }

  async failed(
    actionId: string,
    reason: string | null,
    { deliveryId, isLast }: { deliveryId: string; isLast: boolean },
  ): Promise<void> {
    if (isLast) await this.repository.cancelLaterParts(deliveryId);
    await this.workflows.actionFailed(actionId, reason, isLast);
  }
}
