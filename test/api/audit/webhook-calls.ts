import { EventFeed } from '../../../src/store/events/event-feed.js';
import type { Webhook } from '../../../src/store/webhooks/webhooks.dto.js';
import type { WebhookDeliveryPage } from '../../../src/store/webhooks/webhook-deliveries.dto.js';
import type { TestApp } from '../../support/test-app.js';
import { canary } from './canary.js';
import type { RouteCalls } from './route-calls.js';

const path = '/api/v1/admin/webhooks';

/** Calls of the audited routes of the shop's webhooks. */
export function webhookCalls(app: TestApp, token: string): RouteCalls {
  const json = { url: `https://192.0.32.10/${canary}`, events: ['product.created'] };
  const made = async (): Promise<string> => (await app.api.post<Webhook>(path, { token, json })).body.id;
  /** A webhook with a canceled delivery. */
  const canceled = async (): Promise<{ id: string; deliveryId: string | undefined }> => {
    const id = await made();
    await app.api.post('/api/v1/admin/products', { token, json: { name: 'Vase', price: 12.5, stock: 3 } });
    await app.nest.get(EventFeed, { strict: false }).passOn();
    for (const enabled of [false, true]) await app.api.patch(`${path}/${id}`, { token, json: { enabled } });
    const { body } = await app.api.get<WebhookDeliveryPage>(`${path}/${id}/deliveries`, { token });
    return { id, deliveryId: body.data[0]?.id };
  };
  return {
    'POST /api/v1/admin/webhooks': async () => () => app.api.post(path, { token, json }),
    'PATCH /api/v1/admin/webhooks/:id': async () => {
      const id = await made();
      return () => app.api.patch(`${path}/${id}`, { token, json: { enabled: false, url: `${json.url}/else` } });
    },
    'DELETE /api/v1/admin/webhooks/:id': async () => {
      const id = await made();
      return () => app.api.delete(`${path}/${id}`, { token });
    },
    'POST /api/v1/admin/webhooks/:id/rotate-secret': async () => {
      const id = await made();
      return () => app.api.post(`${path}/${id}/rotate-secret`, { token, json: {} });
    },
    'POST /api/v1/admin/webhooks/:id/deliveries/replay': async () => {
      const { id } = await canceled();
      const since = new Date(Date.now() - 60_000).toISOString();
      const given = { since, statuses: ['CANCELED'] };
      return () => app.api.post(`${path}/${id}/deliveries/replay`, { token, json: given });
    },
    'POST /api/v1/admin/webhooks/:id/deliveries/:delivery_id/replay': async () => {
      const { id, deliveryId } = await canceled();
      return () => app.api.post(`${path}/${id}/deliveries/${deliveryId}/replay`, { token });
    },
  };
}
