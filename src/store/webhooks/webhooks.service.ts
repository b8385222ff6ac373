import { Injectable } from '@nestjs/common';
import { type AuditedFields, changesOf } from '../../platform/audit/audit-changes.js';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { ReceiverAddresses } from '../../platform/delivery/receiver-addresses.js';
import { assertParameters } from '../../platform/delivery/receiver-rules.js';
import { newSecret, previousExpiresAt, withNewSecret } from '../../platform/delivery/signing-secrets.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { Forbidden, found } from '../../platform/errors/errors.js';
import { assertUnchanged } from '../../platform/http/entity-tag.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { EventFeed } from '../events/event-feed.js';
import type { StoreWebhookEntity } from './store-webhook.entity.js';
import { WebhookSecrets } from './webhook-secrets.js';
import type {
  RotatedWebhookSecret,
  Webhook,
  WebhookCreate,
  WebhookSecretRotation,
  WebhookUpdate,
} from './webhooks.dto.js';
import { toWebhook } from './webhooks.mapper.js';
import { WebhooksRepository } from './webhooks.repository.js';

/** Addresses may carry credentials. */
const audited = {
  shown: ['events', 'customer_data', 'enabled'],
  concealed: ['url', 'secret'],
} satisfies AuditedFields<Webhook>;

const failingFor = '5 days';
const alwaysFailed = 'Every attempt of the last five days failed';

/** A receiver that fails. */
export interface FailingWebhook {
  id: string;
  url: string;
  failingSince: Date | null;
  disabledReason: string | null;
}

/** The receivers of the shop's events. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly repository: WebhooksRepository,
    private readonly secrets: WebhookSecrets,
    private readonly addresses: ReceiverAddresses,
    private readonly feed: EventFeed,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** All webhooks, newest first. */
  async list(): Promise<Webhook[]> {
    return (await this.repository.list()).map((webhook) => this.toRead(webhook));
  }

  /** Those that fail, or that the service disabled since they did; those that have failed longest first. */
  async failing(): Promise<FailingWebhook[]> {
    return (await this.repository.failing()).map((webhook) => ({
      id: webhook.id,
      url: this.secrets.open(webhook.id, webhook.sealed).url,
      failingSince: webhook.failingSince,
      disabledReason: webhook.disabledReason,
    }));
  }

  /** One webhook; `NotFound` if there is none. */
  async get(id: string): Promise<Webhook> {
    return this.toRead(await this.stored(id));
  }

  /** One webhook with its parameters sealed; `NotFound` if there is none. */
  async stored(id: string): Promise<StoreWebhookEntity> {
    return found(await this.repository.byId(id), 'Webhook');
  }

  /**
   * Makes a webhook and returns it with its secret, which is shown only now. It gets the events of all changes from then on.
   * `Invalid` for an address that nothing may be sent to or a malformed secret, `QuotaExceeded` where there are too many.
   */
  async create(
    { url, events, secret = newSecret(), customer_data, enabled }: WebhookCreate,
    seesCustomers: boolean,
  ): Promise<Webhook> {
    if (customer_data && !seesCustomers) throw needsCustomers();
    const parameters = { url, headers: [], secret };
    assertParameters(parameters, ['body']);
    await this.addresses.assert(url, ['body', 'url']);
    const id = uuidV7();
    const sealed = this.secrets.seal(id, parameters);
    return this.withEarlierEventsSent(async () => {
      const types = [...new Set(events)];
      await this.repository.insert({ id, events: types, customerData: customer_data, enabled, sealed });
      const made = await this.get(id);
      await this.record('webhook.created', null, made);
      return Object.assign(made, { secret });
    });
  }

  /**
   * Changes what is given of a webhook; disabling it cancels what it has yet to get. `NotFound`, `Invalid` as at creation,
   * `ChangedMeanwhile` where it is not `ifMatch`.
   */
  async update(id: string, changes: WebhookUpdate, ifMatch: string | null, seesCustomers: boolean): Promise<Webhook> {
    if (changes.url !== undefined) await this.addresses.assert(changes.url, ['body', 'url']);
    return this.withEarlierEventsSent(async () => {
      const stored = found(await this.repository.lock(id), 'Webhook');
      const before = this.toRead(stored);
      assertUnchanged(ifMatch, before);
      // Who sees no customers cannot lead their data to another address either.
      if ((changes.customer_data ?? before.customer_data) && !seesCustomers) throw needsCustomers();
      if (Object.keys(changes).length === 0) return before;
      await this.repository.update(id, this.columnsOf(stored, changes));
      if (changes.enabled === false) await this.repository.cancelDeliveries(id);
      const after = await this.get(id);
      await this.record('webhook.updated', before, after);
      return after;
    });
  }

  /** Deletes a webhook with its deliveries; `NotFound` if there is none. */
  async remove(id: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const before = this.toRead(found(await this.repository.lock(id), 'Webhook'));
      await this.repository.cancelDeliveries(id);
      await this.repository.remove(id);
      await this.record('webhook.deleted', before, null);
    });
  }

  /**
   * Replaces the secret of a webhook and returns the new one; the one before signs too until the overlap ends. `NotFound`,
   * `Invalid` for a malformed secret or the present one, `Conflict` where too many sign already.
   */
  async rotate(id: string, given: WebhookSecretRotation): Promise<RotatedWebhookSecret> {
    const secret = given.secret ?? newSecret();
    return this.unitOfWork.run(async () => {
      const webhook = found(await this.repository.lock(id), 'Webhook');
      const stored = this.secrets.open(id, webhook.sealed);
      if (secret === stored.secret) {
        throw Invalid.at(['body', 'secret'], 'value_error', 'Input should differ from the current secret');
      }
      assertParameters({ headers: [], secret }, ['body']);
      const rotated = withNewSecret(stored, secret, given.overlap_seconds, 'overlap_seconds');
      await this.repository.update(id, { sealed: this.secrets.seal(id, rotated) });
      const changes = { secret: { changed: true } } as const;
      await this.audit.record({ action: 'webhook.secret_rotated', subject: { id }, changes });
      return { secret, previous_secret_expires_at: previousExpiresAt(rotated) };
    });
  }

  /** Records that an attempt failed; disables the webhook at once with a reason, or after five days of failures. */
  failed(id: string, reason: string | null): Promise<void> {
    return this.unitOfWork.run(async () => {
      const failed = await this.repository.failed(id, reason, alwaysFailed, failingFor);
      if (failed === null || failed.enabled) return;
      await this.repository.cancelDeliveries(id);
      if (!failed.wasEnabled) return;
      const changes = { disabled_reason: { from: null, to: failed.disabledReason } };
      await this.audit.record({ action: 'webhook.disabled', subject: { id }, changes });
    });
  }

  /** Runs a change of who gets what, in one unit with the sending of all events of before by the rules of before. */
  private withEarlierEventsSent<T>(change: () => Promise<T>): Promise<T> {
    return this.unitOfWork.run(async () => {
      while (await this.feed.passOnSome());
      return change();
    });
  }

  private columnsOf(
    stored: StoreWebhookEntity,
    { url, events, customer_data, enabled }: WebhookUpdate,
  ): Partial<StoreWebhookEntity> {
    const begins = enabled === true && !stored.enabled;
    return {
      updatedAt: new Date(),
      ...(events && { events: [...new Set(events)] }),
      ...(customer_data !== undefined && { customerData: customer_data }),
      ...(enabled !== undefined && { enabled }),
      ...(begins && { disabledReason: null, failingSince: null }),
      ...(url !== undefined && {
        sealed: this.secrets.seal(stored.id, { ...this.secrets.open(stored.id, stored.sealed), url }),
      }),
    };
  }

  private toRead(webhook: StoreWebhookEntity): Webhook {
    return toWebhook(webhook, this.secrets.open(webhook.id, webhook.sealed));
  }

  private async record(action: AuditAction, before: Webhook | null, after: Webhook | null): Promise<void> {
    const { id } = (after ?? before) as Webhook;
    await this.audit.record({ action, subject: { id }, changes: changesOf(before, after, audited) });
  }
}

function needsCustomers(): Forbidden {
  return new Forbidden(
    "A webhook with customers' data takes a key with the scope customers:read: use one, or leave customer_data out",
    'missing_scope',
  );
}
