import type { InsertedOrganization } from '../../support/organizations.js';
import type { TestApp } from '../../support/test-app.js';
import type { RouteCalls } from './route-calls.js';

/** Calls of an organization's settings and keys by its admin; collects the keys that they make in `keys`. */
export function keyCalls(
  app: TestApp,
  { id, admin: { token, userId } }: InsertedOrganization,
  keys: string[],
): RouteCalls {
  const path = `/api/v1/organizations/${id}/api-keys`;
  const make = async () => {
    const json = { name: 'CI pipeline', role: 'member' };
    const answer = await app.api.post<{ id: string; key: string }>(path, { token, json });
    keys.push(answer.body.key);
    return answer;
  };
  return {
    'POST /api/v1/organizations': async () => () =>
      app.api.post('/api/v1/organizations', { token, json: { name: 'Beta' } }),
    'PATCH /api/v1/organizations/:organizationId': async () => () =>
      app.api.patch(`/api/v1/organizations/${id}`, { token, json: { scopedWebhookExportPayload: true } }),
    'POST /api/v1/organizations/:organizationId/api-keys': async () => make,
    'DELETE /api/v1/organizations/:organizationId/api-keys/:keyId': async () => {
      const { body } = await make();
      return () => app.api.delete(`${path}/${body.id}`, { token });
    },
    'DELETE /api/v1/organizations/:organizationId/api-keys': async () => {
      await app.api.delete(`${path}?createdBy=${userId}`, { token });
      await make();
      await make();
      return () => app.api.delete(`${path}?createdBy=${userId}`, { token });
    },
  };
}
