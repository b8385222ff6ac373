import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditLog } from '../../../src/platform/audit/audit-log.js';
import { AuditPartitionsService } from '../../../src/platform/audit/audit-partitions.service.js';
import { UnitOfWork } from '../../../src/database/unit-of-work.js';
import { insertAdmin, type InsertedUser } from '../../support/accounts.js';
import { auditedBy } from '../../support/audit.js';
import { insertProduct, stockOf } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let admin: InsertedUser;
let productId: number;
beforeAll(async () => {
  app = await startTestApp({ env: { AUDIT_RETENTION_DAYS: '100' } });
  admin = await insertAdmin(app);
  productId = await insertProduct(app, { stock: 1 });
});
afterAll(() => app.close());

const update = (stock: number, api = app.api) =>
  api.put(`/api/v1/admin/products/${productId}`, { token: admin.token, json: { stock } });
const partitions = async () => {
  const sql = `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_entries'::regclass`;
  return (await app.database.rows<{ name: string }>(sql)).map(({ name }) => name).sort();
};
const nameOf = (time: Date) => `audit_entries_${time.toISOString().slice(0, 7).replace('-', '_')}`;

describe('The months of the audit log', () => {
  it('are made by the first change of each, once when two nodes make it concurrently', async () => {
    const node = await app.anotherNode();
    expect(await partitions()).toEqual([]);
    const entries = await auditedBy(app, () =>
      Promise.all([2, 3, 4, 5, 6, 7, 8, 9].map((stock) => update(stock, stock % 2 ? app.api : node.api))),
    );
    expect(entries).toHaveLength(8);
    expect(await partitions()).toEqual([nameOf(new Date())]);
  });

  it('are made again when the change that made them was rolled back', async () => {
    await app.database.rows(`DROP TABLE ${nameOf(new Date())}`);
    const node = await app.anotherNode();
    const unitOfWork = node.nest.get(UnitOfWork);
    const undone = unitOfWork.run(async () => {
      const record = { action: 'product.deleted', subject: { id: 1 } } as const;
      await node.nest.get(AuditLog).record(record);
      await node.nest.get(AuditLog).record(record);
      throw new Error('refused after all');
    });
    await expect(undone).rejects.toThrow('refused after all');
    expect(await auditedBy(app, () => update(30, node.api))).toHaveLength(1);
  });

  it('are made ahead, and dropped after the retention, by a job', async () => {
    const service = app.nest.get(AuditPartitionsService);
    await service.keep(new Date('2026-05-28T12:00:00Z'));
    expect(await partitions()).toEqual(expect.arrayContaining(['audit_entries_2026_05', 'audit_entries_2026_06']));
    await service.keep(new Date(Date.parse('2026-06-01T00:00:00Z') + 100 * 86_400_000));
    expect(await partitions()).not.toContain('audit_entries_2026_05');
    expect(await partitions()).toContain('audit_entries_2026_06');
  });
});

describe('An entry', () => {
  it.each(['UPDATE % SET action = $$x$$', 'DELETE FROM %', 'TRUNCATE %'])(
    'cannot be changed: %s is refused',
    async (sql) => {
      await update(40);
      for (const table of ['audit_entries', nameOf(new Date())]) {
        await expect(app.database.rows(sql.replace('%', table))).rejects.toThrow(/append-only/);
      }
    },
  );

  it('fails with its change, and the change with it', async () => {
    const unitOfWork = app.nest.get(UnitOfWork);
    const entries = await auditedBy(app, async () => {
      const undone = unitOfWork.run(async () => {
        await app.nest.get(AuditLog).record({ action: 'product.deleted', subject: { id: productId } });
        throw new Error('refused after all');
      });
      await expect(undone).rejects.toThrow('refused after all');
    });
    expect(entries).toEqual([]);
    const before = await stockOf(app, productId);
    await app.database.rows(`ALTER TABLE audit_entries ADD CONSTRAINT full_disk CHECK (action = 'none') NOT VALID`);
    // Bypasses the test client, which rejects a 500.
    const answer = await fetch(`${app.baseUrl}/api/v1/admin/products/${productId}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ stock: 50 }),
    });
    expect(answer.status).toBe(500);
    await app.database.rows('ALTER TABLE audit_entries DROP CONSTRAINT full_disk');
    expect(await stockOf(app, productId)).toBe(before);
    expect((await update(50)).status).toBe(200);
  });

  it('cannot be made outside of the unit of work of its change', async () => {
    const record = { action: 'product.deleted', subject: { id: 1 } } as const;
    await expect(app.nest.get(AuditLog).record(record)).rejects.toThrow('must be written in the unit of work');
  });

  it('is attributed to the system outside of a request', async () => {
    const record = { action: 'product.deleted', subject: { id: 1 } } as const;
    const [entry] = await auditedBy(app, () =>
      app.nest.get(UnitOfWork).run(() => app.nest.get(AuditLog).record(record)),
    );
    expect(entry).toMatchObject({ actor_kind: 'system', actor_id: null, address: null, request_id: null });
  });
});
