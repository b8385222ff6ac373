import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { includesRole, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { found, NotFound } from '../../platform/errors/errors.js';
import { type Page, pageOf, startOf } from '../../platform/http/cursor.js';
import { listed } from '../../database/filtered-statement.js';
import { deliveryStatuses, sealedUrlPlace } from '../../platform/delivery/delivery-statuses.js';
import { shownAddress } from '../workflows/action-secrets.js';
import { WorkflowsService } from '../workflows/workflows.service.js';
import { DeliveriesRepository, type DeliveryQuery, type StoredDelivery } from './deliveries.repository.js';
import type { Delivery, DeliveryFilter, DeliveryList } from './deliveries.dto.js';
import { DeliveryBodies } from './delivery-bodies.js';

/** Reads the log of deliveries, sent and yet to be sent. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly workflows: WorkflowsService,
    private readonly bodies: DeliveryBodies,
    private readonly box: SecretBox,
  ) {}

  /** A page of a workflow's deliveries, newest first; `NotFound` if there is no such workflow. */
  async list(caller: OrganizationCaller, workflowId: string, given: DeliveryFilter): Promise<Page<Delivery>> {
    const { id } = await this.workflows.get(caller, workflowId);
    const { size, cursor } = given;
    const rows = await this.repository.page(caller.organizationId, id, startOf(cursor), size + 1, queryOf(given));
    return pageOf(rows, size, (row) => this.toDelivery(row, caller));
  }

  /** A page of the deliveries of all workflows of the organization, or of these, newest first. */
  async listAll(caller: OrganizationCaller, given: DeliveryList): Promise<Page<Delivery>> {
    const { size, cursor } = given;
    const query = queryOf(given);
    const workflowIds = listed(given.workflowIds);
    const rows = await this.repository.list(caller.organizationId, startOf(cursor), size + 1, query, workflowIds);
    return pageOf(rows, size, (row) => this.toDelivery(row, caller));
  }

  /** One delivery with its attempts; `NotFound` where the organization has none of this id. */
  async get(caller: OrganizationCaller, id: string): Promise<Delivery> {
    return this.toDelivery(found(await this.repository.byId(caller.organizationId, id), 'Delivery'), caller);
  }

  /** The exact bytes that a delivery sends; `NotFound` where it does not exist, or its payload is removed. */
  async payload({ organizationId }: OrganizationCaller, id: string): Promise<{ body: Readable; length: number }> {
    const stored = found(await this.repository.payload(organizationId, id), 'Delivery');
    if (!stored.rootBytes && !stored.bodySealed)
      throw new NotFound('The payload of this delivery was deleted after its retention time', 'payload_gone');
    const source = this.bodies.bodyOf({ organizationId, ...stored });
    return { body: source.open(), length: source.length };
  }

  /** Only admins see answers, since a receiver may answer with the payload. */
  private toDelivery(
    { urlSealed, isNotice, part, of, ...delivery }: StoredDelivery,
    { role }: OrganizationCaller,
  ): Delivery {
    const isAdmin = includesRole(role, 'admin');
    const attempts = delivery.attempts.map(({ startedAt, response, ...attempt }) => ({
      ...attempt,
      startedAt: new Date(startedAt),
      response: isAdmin ? response : null,
    }));
    const url = this.box.open(urlSealed, sealedUrlPlace(delivery.id));
    const place = part === null || of === null ? {} : { part, of };
    return { ...delivery, ...place, url: shownAddress(isNotice, url, { isAdmin }), attempts };
  }
}

function queryOf({ status, since, until }: DeliveryFilter): DeliveryQuery {
  return {
    statuses: listed(status) ?? deliveryStatuses,
    since: since === undefined ? '-infinity' : new Date(since),
    until: until === undefined ? 'infinity' : new Date(until),
  };
}
