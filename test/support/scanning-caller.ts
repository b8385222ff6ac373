import type { ApiClient } from './api-client.js';
import { insertAdmin } from './accounts.js';
import { Operations } from './operations.js';
import type { TestApp } from './test-app.js';

export interface ScanningCaller {
  token: string;
  organizationId: string;
  scanId: string;
  /** Operations on a scan or an organization, whose paths lead to those of the caller. */
  operations: Operations;
}

/** An admin of the shop and of an organization of their own, with a scan to append to. */
export async function insertScanningCaller(app: TestApp): Promise<ScanningCaller> {
  return makeScanningCaller(app.api, (await insertAdmin(app)).token);
}

/** Makes the account behind a token the admin of an organization of its own, with a scan to append to. */
export async function makeScanningCaller(api: ApiClient, token: string): Promise<ScanningCaller> {
  const made = async (path: string, json: object): Promise<string> => {
    const { status, body } = await api.post<{ id: string }>(`/api/v1/${path}`, { token, json });
    if (status !== 201) throw new Error(`POST ${path} answered ${status} ${JSON.stringify(body)}`);
    return body.id;
  };
  const organizationId = await made('organizations', { name: 'Own' });
  const profile = { name: 'Own', scannerKind: 'FRONTEND_DAST', type: 'REST' };
  const applicationId = await made('profiles', profile);
  const scanId = await made('scans', { applicationId, kind: 'FRONTEND_DAST', status: 'RUNNING' });
  return { token, organizationId, scanId, operations: await Operations.of({ api }, { organizationId, id: scanId }) };
}
