import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DeliverySender } from '../../platform/delivery/delivery-sender.js';
import type { DeliveryUser, DueDelivery, DueJob } from '../../platform/delivery/delivery-user.js';
import { ActionSecrets } from '../workflows/action-secrets.js';
import { maySend } from '../workflows/senders.statements.js';
import { deliveryTask } from '../workflows/workflow-tasks.js';
import { WorkflowsService } from '../workflows/workflows.service.js';
import { ActionDeliveriesRepository } from './action-deliveries.repository.js';
import { PayloadStore } from './payload-store.js';

/** The deliveries of workflows: to the receivers of their actions, with the frozen payloads of their runs. */
@Injectable()
export class ActionDeliveries implements DeliveryUser, OnModuleInit {
  readonly task = deliveryTask;
  readonly isOwn = 'd.run_id IS NOT NULL';

  constructor(
    private readonly repository: ActionDeliveriesRepository,
    private readonly workflows: WorkflowsService,
    private readonly payloads: PayloadStore,
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
    const { action, failures, organizationId, rootBytes, resources } = due;
    const receiver = action && { id: action.id, parameters: this.secrets.open(action.id, action.sealed) };
    const body = this.payloads.body(due, rootBytes ?? {}, resources);
    return { messageId: deliveryId, failures, receiver, sender: organizationId, body };
  }

  lockReceiver(deliveryId: string): Promise<boolean> {
    return this.repository.lockSender(deliveryId);
  }

  succeeded(actionId: string): Promise<void> {
    return this.workflows.actionSucceeded(actionId);
  }

  failed(actionId: string, reason: string | null): Promise<void> {
    return this.workflows.actionFailed(actionId, reason);
  }
}
