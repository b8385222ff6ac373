import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { OrganizationCaller } from '../../common/auth/organization-caller.js';
import { SecretBox } from '../../common/crypto/secret-box.js';
import { Invalid } from '../../common/errors/invalid.js';
import { Conflict, found, NotFound } from '../../common/errors/kinds.js';
import { type CursorPaging, type Page, pageOf, startOf } from '../../common/http/cursor.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { WorkflowsService } from '../workflows/workflows.service.js';
import { DeliveriesRepository, sealedUrlPlace, type StoredDelivery } from './deliveries.repository.js';
import type { Delivery, Replayed } from './deliveries.shapes.js';
import { PayloadStore } from './payload-store.js';

const replayDays = 14;
const dayMs = 86_400_000;

/** What was sent, and what is to be sent: the log of deliveries, and their replay. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly workflows: WorkflowsService,
    private readonly payloads: PayloadStore,
    private readonly box: SecretBox,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** A page of a workflow's deliveries, newest first; `NotFound` where there is no such workflow. */
  async list(caller: OrganizationCaller, workflowId: string, { size, cursor }: CursorPaging): Promise<Page<Delivery>> {
    await this.workflows.get(caller, workflowId);
    const rows = await this.repository.page(caller.organizationId, workflowId, startOf(cursor), size + 1);
    return pageOf(rows, size, (row) => this.toDelivery(row));
  }

  /** One delivery with its attempts; `NotFound` where the organization has none of this id. */
  async get({ organizationId }: OrganizationCaller, id: string): Promise<Delivery> {
    return this.toDelivery(found(await this.repository.byId(organizationId, id), 'Delivery'));
  }

  /** The very bytes that a delivery sends; `NotFound` where there is none, or they are no longer kept. */
  async payload({ organizationId }: OrganizationCaller, id: string): Promise<{ body: Readable; length: number }> {
    const { runId, resources, rootBytes } = found(await this.repository.payload(organizationId, id), 'Delivery');
    if (!rootBytes) throw new NotFound('The payload of this delivery is no longer kept', 'payload_gone');
    const source = this.payloads.body(runId, rootBytes, resources);
    return { body: source.open(), length: source.length };
  }

  /**
   * Sends a delivery again, from its first attempt on, with the same id and bytes; `NotFound` where it, its action or its
   * payload is gone, `Conflict` while it is being sent or its action is disabled.
   */
  async replay({ organizationId }: OrganizationCaller, id: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const known = found(await this.repository.lockReplayable(organizationId, id), 'Delivery');
      if (known.actionEnabled === null) {
        throw new NotFound('The action of this delivery was deleted: it cannot be sent again', 'action_gone');
      }
      if (!known.kept) throw new NotFound('The payload of this delivery is no longer kept', 'payload_gone');
      if (!known.actionEnabled) {
        throw new Conflict(
          'The action of this delivery is disabled: enable it in its workflow first',
          'action_disabled',
        );
      }
      if (known.underWay) throw new Conflict('The delivery is being sent at the moment: wait for its end', 'under_way');
      await this.repository.replay(id);
    });
  }

  /** Sends everything again that was exhausted since then; `Invalid` for more than 14 days, `NotFound` for no workflow. */
  async replayExhausted(caller: OrganizationCaller, workflowId: string, since: string): Promise<Replayed> {
    const from = new Date(since);
    if (Date.now() - from.getTime() > replayDays * dayMs) {
      const msg = `Input should be at most ${replayDays} days ago`;
      throw Invalid.at(['body', 'since'], 'value_error', msg, since);
    }
    await this.workflows.get(caller, workflowId);
    return { replayed: await this.repository.replayExhausted(caller.organizationId, workflowId, from) };
  }

  private toDelivery({ urlSealed, ...delivery }: StoredDelivery): Delivery {
    const { id, runId, status, payloadBytes, createdAt, nextAttemptAt } = delivery;
    const attempts = delivery.attempts.map((attempt) => ({ ...attempt, startedAt: new Date(attempt.startedAt) }));
    const url = this.box.open(urlSealed, sealedUrlPlace(id));
    return { id, runId, url, status, payloadBytes, createdAt, nextAttemptAt, attempts };
  }
}
