import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shopLog } from '../../../src/platform/audit/audit-log.js';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { insertAdmin, insertUser } from '../../support/accounts.js';
import { auditedBy } from '../../support/audit.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { insertInvitation, insertMembership, insertOrganization } from '../../support/organizations.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const deleteOwn = (token: string) => app.api.delete('/api/v1/users/me/profile', { token });

async function has(table: string, column: string, id: string): Promise<boolean> {
  return (await app.database.rows(`SELECT FROM ${table} WHERE ${column} = $1`, [id])).length > 0;
}

async function makeOwn(token: string, name: string): Promise<string> {
  const { body } = await app.api.post<{ id: string }>('/api/v1/organizations', { token, json: { name } });
  return body.id;
}

describe('Deleting an account', () => {
  it('responds with 409 with the organization whose last admin it is, and deletes nothing', async () => {
    const { admin, id } = await insertOrganization(app, { name: 'Needs them' });
    const { status, body } = await deleteOwn(admin.token);
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'last_admin_of_organization',
      detail: expect.stringContaining('"Needs them"'),
    });
    expect(await has('organization_members', 'user_id', admin.userId)).toBe(true);
    expect(await has('organizations', 'id', id)).toBe(true);
  });

  it('ends memberships when another admin remains', async () => {
    const { admin, join, id } = await insertOrganization(app);
    await join('admin');
    expect((await deleteOwn(admin.token)).status).toBe(200);
    expect(await has('organization_members', 'user_id', admin.userId)).toBe(false);
    expect(await has('organizations', 'id', id)).toBe(true);
  });

  it('ends the membership of a viewer', async () => {
    const { id, viewer } = await insertOrganization(app);
    const entries = await auditedBy(app, async () => expect((await deleteOwn(viewer.token)).status).toBe(200));
    expect(await has('organization_members', 'user_id', viewer.userId)).toBe(false);
    expect(entries).toMatchObject([
      { action: 'user.deleted', log_id: shopLog },
      { action: 'member.left', log_id: id, subject_id: viewer.userId, changes: { role: { from: 'viewer', to: null } } },
    ]);
  });

  it('deletes the organizations without other members, with their contents', async () => {
    const { token } = await insertUser(app);
    const id = await makeOwn(token, 'Their own');
    const [profile, scan, asset, issue] = [uuidV7(), uuidV7(), uuidV7(), uuidV7()];
    await app.database.rows(
      `INSERT INTO profiles (id, organization_id, name, scanner_kind, type)
       VALUES ($1, $2, 'p', 'FRONTEND_DAST', 'REST')`,
      [profile, id],
    );
    await app.database.rows(
      `INSERT INTO scans (id, organization_id, application_id, kind, status)
       VALUES ($1, $2, $3, 'FRONTEND_DAST', 'FINISHED')`,
      [scan, id, profile],
    );
    await app.database.rows(
      `INSERT INTO assets (id, organization_id, name, type, class, uri) VALUES ($1, $2, 'a', 'DNS', 'HOST', 'a')`,
      [asset, id],
    );
    await app.database.rows('INSERT INTO scan_assets (scan_id, asset_id) VALUES ($1, $2)', [scan, asset]);
    await app.database.rows(
      `INSERT INTO issues (id, organization_id, asset_id, scan_id, name, full_name, severity, category, status,
                           alert_uid, security_test_uid, identity)
       VALUES ($1, $2, $3, $4, 'i', 'i', 'LOW', 'CUSTOM', 'OPEN', '', '', 'i')`,
      [issue, id, asset, scan],
    );
    await app.database.rows('INSERT INTO issue_scans (issue_id, scan_id) VALUES ($1, $2)', [issue, scan]);
    expect((await deleteOwn(token)).status).toBe(200);
    expect(await has('organizations', 'id', id)).toBe(false);
    expect(await has('issues', 'id', issue)).toBe(false);
    expect(await has('scans', 'id', scan)).toBe(false);
  });

  it('deletes no organization when another one needs the account', async () => {
    const { id: userId, token } = await insertUser(app);
    const own = await makeOwn(token, 'Their own');
    const led = await makeOwn(token, 'Led');
    await insertMembership(app, led, (await insertUser(app)).id, 'member');
    expect((await deleteOwn(token)).status).toBe(409);
    expect(await has('organizations', 'id', own)).toBe(true);
    expect(await has('organization_members', 'user_id', userId)).toBe(true);
  });

  it('keeps a member who accepts an invitation while the only other member leaves', async () => {
    const [founder, guest] = [await insertUser(app), await insertUser(app)];
    const id = await makeOwn(founder.token, 'Contended');
    const accept = `/api/v1/users/me/invitations/${await insertInvitation(app, id, { userId: guest.id })}/accept`;
    const held = await HeldTransaction.open(app.database, 'SELECT FROM organizations WHERE id = $1 FOR UPDATE', [id]);
    const both = Promise.all([deleteOwn(founder.token), app.api.post(accept, { token: guest.token })]);
    await held.blocks(2);
    await held.commit();
    const outcome = (await both).map(({ status }) => status);
    expect(['[409,200]', '[200,404]']).toContain(JSON.stringify(outcome));
    expect(await has('organizations', 'id', id)).toBe(outcome[0] === 409);
    expect(await has('organization_members', 'user_id', guest.id)).toBe(outcome[1] === 200);
  });

  it('leaves an admin when two are deleted concurrently', async () => {
    const { admin, join, id } = await insertOrganization(app);
    const second = await join('admin');
    const answers = await Promise.all([deleteOwn(admin.token), deleteOwn(second.token)]);
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 409]);
    const admins = await app.database.rows(
      `SELECT FROM organization_members WHERE organization_id = $1 AND role = 'admin'`,
      [id],
    );
    expect(admins).toHaveLength(1);
  });
});

describe("A shop admin's deletion of an account", () => {
  const remove = async (id: string) =>
    app.api.delete(`/api/v1/admin/users/${id}`, { token: (await insertAdmin(app)).token });

  it('is never refused for an organization: the longest-serving member becomes its admin', async () => {
    const { admin, member, viewer, id } = await insertOrganization(app);
    const other = await insertOrganization(app);
    await insertMembership(app, other.id, admin.userId, 'admin');
    await app.database.rows(
      `UPDATE organization_members SET created_at = now() - interval '1 year' WHERE user_id = $1`,
      [viewer.userId],
    );
    const entries = await auditedBy(app, async () => expect((await remove(admin.userId)).status).toBe(204));
    const left = { action: 'member.removed', subject_id: admin.userId, changes: { role: { from: 'admin', to: null } } };
    expect(entries).toHaveLength(4);
    expect(entries).toMatchObject([{ action: 'user.deleted' }, { action: 'member.role_changed' }, left, left]);
    expect(entries[1]).toMatchObject({
      log_id: id,
      actor_kind: 'user',
      subject_id: viewer.userId,
      changes: { role: { from: 'viewer', to: 'admin' } },
    });
    expect(new Set(entries.slice(2).map(({ log_id }) => log_id))).toEqual(new Set([id, other.id]));
    const members = await app.database.rows(
      'SELECT user_id AS id, role FROM organization_members WHERE organization_id = $1 ORDER BY role',
      [id],
    );
    expect(members).toEqual([
      { id: viewer.userId, role: 'admin' },
      { id: member.userId, role: 'member' },
    ]);
    const elsewhere = `SELECT role FROM organization_members WHERE organization_id = $1 AND role = 'admin'`;
    expect(await app.database.rows(elsewhere, [other.id])).toHaveLength(1);
  });

  it('takes an organization without other members along', async () => {
    const { id: userId, token } = await insertUser(app);
    const id = await makeOwn(token, 'Their own');
    const entries = await auditedBy(app, async () => expect((await remove(userId)).status).toBe(204));
    expect(entries).toMatchObject([
      { action: 'user.deleted', subject_id: userId },
      { action: 'organization.deleted', log_id: shopLog, subject_id: id, subject_name: 'Their own' },
    ]);
    expect(await has('organizations', 'id', id)).toBe(false);
  });

  it("is refused for the admin's own account", async () => {
    const owner = await insertAdmin(app);
    await insertAdmin(app);
    const id = await makeOwn(owner.token, 'Led by a shop admin');
    await insertMembership(app, id, (await insertUser(app)).id, 'member');
    const answer = await app.api.delete(`/api/v1/admin/users/${owner.id.toUpperCase()}`, { token: owner.token });
    expect(answer).toMatchObject({ status: 409, body: { code: 'last_admin_of_organization' } });
  });
});

describe('The invitations of a deleted account', () => {
  it('are deleted, both received and sent ones', async () => {
    const { id, admin, join } = await insertOrganization(app);
    await join('admin');
    const guest = await insertUser(app);
    const got = await insertInvitation(app, id, { userId: guest.id });
    const sent = await insertInvitation(app, id, { email: 'somebody@example.com', invitedBy: admin.userId });
    await deleteOwn(guest.token);
    expect(await has('organization_invitations', 'id', got)).toBe(false);
    await deleteOwn(admin.token);
    expect(await has('organization_invitations', 'id', sent)).toBe(false);
  });

  it('do not include one sent during the deletion', async () => {
    const { id, admin } = await insertOrganization(app);
    const guest = await insertUser(app);
    const held = await HeldTransaction.open(app.database, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [guest.id]);
    const json = { userId: guest.id, role: 'viewer' };
    const both = Promise.all([
      deleteOwn(guest.token),
      app.api.post(`/api/v1/organizations/${id}/members`, { token: admin.token, json }),
    ]);
    await held.blocks(2);
    await held.commit();
    const [deleted, invited] = await both;
    expect(deleted.status).toBe(200);
    expect([201, 404]).toContain(invited.status);
    expect(await has('organization_invitations', 'user_id', guest.id)).toBe(false);
  });
});
