import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import type { ApiKeyCreated } from '../../../src/scanning/organizations/api-keys.dto.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { Imports, sarifLog, sarifResult } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let organization: InsertedOrganization;
let key: string;
beforeAll(async () => {
  app = await startTestApp();
  organization = await insertOrganization(app);
  const path = `/api/v1/organizations/${organization.id}/api-keys`;
  const json = { name: 'CI pipeline', role: 'importer' };
  const made = await app.api.post<ApiKeyCreated>(path, { token: organization.admin.token, json });
  expect([made.status, made.body.role]).toEqual([201, 'importer']);
  key = made.body.key;
});
afterAll(() => app.close());

/** The routes of the committed list that need the role of a member, or of an admin. */
const forMembers = readFileSync(new URL('../../architecture/routes.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => / organization-(?:member|admin) /.test(line))
  .map((line) => line.split(' ', 2) as ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string]);

describe('An API key of the role importer', () => {
  it('imports reports, resolves what is gone by them, and reads the outcome', async () => {
    const imports = new Imports(app.api, undefined);
    const headers = { 'x-api-key': key };
    const first = await imports.send(JSON.stringify(sarifLog([sarifResult('a')])), '', headers);
    const { status, body } = await imports.send(JSON.stringify(sarifLog([])), '?resolveGone=true&list=true', headers);
    expect([first.status, status, body.resolved]).toEqual([201, 201, 1]);
    const reads = [`scans/${body.scan.id}`, `scans/${body.scan.id}/issues`, `imports/${body.scan.id}/issues`, 'issues'];
    for (const path of [...reads, `issues/${first.body.createdIds[0]}`, 'organizations/current']) {
      expect([path, (await app.api.get(`/api/v1/${path}`, { headers })).status]).toEqual([path, 200]);
    }
  });

  it.each(forMembers)('is refused %s %s', async (method, path) => {
    const address = path.replace(':organizationId', organization.id).replace(/:\w+/g, () => uuidV7());
    const { status } = await app.api.send(method, address, { headers: { 'x-api-key': key }, json: {} });
    expect(status).toBe(403);
  });

  it('is no role of members', async () => {
    const path = `/api/v1/organizations/${organization.id}/members`;
    const json = { email: 'grace@example.com', role: 'importer' };
    expect((await app.api.post(path, { token: organization.admin.token, json })).status).toBe(422);
  });
});
