import type { InsertedOrganization } from './organizations.js';
import type { TestApp } from './test-app.js';

/** A body that makes one, of a name of its own. */
export const resourceBodies = {
  profiles: (name: string) => ({ name, scannerKind: 'FRONTEND_DAST', type: 'REST' }),
  tags: (name: string) => ({ name, color: '#c0392b' }),
  locations: (name: string) => ({ name, type: 'PRIVATE', target: 'scanner.internal.example.com' }),
  integrations: (name: string) => ({ name, kind: 'CUSTOM', parameters: { apiKey: 'a-long-secret-1234' } }),
  assets: (name: string) => ({ name, type: 'DNS', class: 'HOST' }),
} as const;
export type ResourceRoom = keyof typeof resourceBodies;

export interface Resource {
  id: string;
  name: string;
  createdAt: string;
}

/** Makes one over HTTP, by the organization's admin. */
export async function makeResource<T extends object = Resource>(
  shop: TestApp,
  { admin }: InsertedOrganization,
  room: ResourceRoom,
  json: object,
): Promise<T> {
  const { status, body } = await shop.api.post<T>(`/api/v1/${room}`, { token: admin.token, json });
  if (status !== 201) throw new Error(`Making one of ${room} answered ${status} ${JSON.stringify(body)}`);
  return body;
}
