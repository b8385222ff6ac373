import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Account, type InsertedUser, insertAdmin, signUp } from '../../support/accounts.js';
import { auditedBy } from '../../support/audit.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let admin: InsertedUser;
let user: Account;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
  user = await signUp(app);
});
afterAll(() => app.close());

async function isAdmin(): Promise<boolean> {
  const [row] = await app.database.rows<{ role: string }>('SELECT role FROM users WHERE id = $1', [user.id]);
  return row?.role === 'admin';
}

describe('A change whose caller hangs up', () => {
  it('is made, and recorded as theirs, even where nobody else is there meanwhile', async () => {
    const entries = await auditedBy(app, async () => {
      const held = await HeldTransaction.open(app.database, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id]);
      const hangUp = new AbortController();
      const sent = fetch(`${app.baseUrl}/api/v1/admin/users/${user.id}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ role: 'admin' }),
        signal: hangUp.signal,
      }).catch(() => 'hung up');
      await held.blocks(1);
      hangUp.abort();
      expect(await sent).toBe('hung up');
      await sleep(100);
      await app.api.get('/health');
      await held.commit();
      while (!(await isAdmin())) await sleep(10);
    });
    expect(entries).toMatchObject([{ action: 'user.role_changed', actor_kind: 'user', actor_id: admin.id }]);
  });
});
