import type { Webhook } from '../../src/store/webhooks/webhooks.dto.js';
import type { WebhookDelivery, WebhookDeliveryPage } from '../../src/store/webhooks/webhook-deliveries.dto.js';
import { insertAdmin } from './accounts.js';
import type { ApiAnswer } from './api-client.js';
import { until } from './receiver.js';
import type { TestApp } from './test-app.js';

export const webhooksPath = '/api/v1/admin/webhooks';

/** Calls the routes of the shop's webhooks as an admin. */
export class StoreWebhookCalls {
  private constructor(
    private readonly app: TestApp,
    readonly token: string,
  ) {}

  static async of(app: TestApp): Promise<StoreWebhookCalls> {
    return new StoreWebhookCalls(app, (await insertAdmin(app)).token);
  }

  create(json: unknown): Promise<ApiAnswer<Webhook>> {
    return this.app.api.post<Webhook>(webhooksPath, { token: this.token, json });
  }

  async made(url: string, more: object = {}): Promise<Webhook> {
    const { status, body } = await this.create({ url, events: ['order.placed'], ...more });
    if (status !== 201) throw new Error(`No webhook was made: ${JSON.stringify(body)}`);
    return body;
  }

  async get(id: string): Promise<Webhook> {
    return (await this.app.api.get<Webhook>(`${webhooksPath}/${id}`, { token: this.token })).body;
  }

  patch(id: string, json: unknown, headers: Record<string, string> = {}): Promise<ApiAnswer<Webhook>> {
    return this.app.api.patch<Webhook>(`${webhooksPath}/${id}`, { token: this.token, json, headers });
  }

  post<Body = unknown>(path: string, json: unknown = {}): Promise<ApiAnswer<Body>> {
    return this.app.api.post<Body>(`${webhooksPath}/${path}`, { token: this.token, json });
  }

  async deliveries(id: string, query = ''): Promise<WebhookDelivery[]> {
    const path = `${webhooksPath}/${id}/deliveries?size=100${query}`;
    return (await this.app.api.get<WebhookDeliveryPage>(path, { token: this.token })).body.data;
  }

  /** Waits until a webhook has as many deliveries, and all of them this status. */
  async deliveriesThatAre(id: string, status: WebhookDelivery['status'], count = 1): Promise<WebhookDelivery[]> {
    let found: WebhookDelivery[] = [];
    await until(async () => {
      found = await this.deliveries(id);
      return found.length === count && found.every((one) => one.status === status);
    }, `${count} deliveries that are ${status}`);
    return found;
  }
}
