import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Invitation } from '../../../src/scanning/organizations/invitations.dto.js';
import { insertUser, newUsername } from '../../support/accounts.js';
import { allMailsSent, type MailServer, startMailServer } from '../../support/mail-server.js';
import { insertOrganization } from '../../support/organizations.js';
import { until } from '../../support/receiver.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let server: MailServer;
let app: TestApp;
beforeAll(async () => {
  server = await startMailServer();
  const env = { ...server.env, QUOTAS: 'invitation-mails=2', PUBLIC_URL: 'https://shop.example' };
  app = await startTestApp({ env, jobs: true });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

const newAddress = () => `${newUsername()}@example.com`;

async function invite(json: object, name?: string) {
  const { id, admin } = await insertOrganization(app, name === undefined ? {} : { name });
  const path = `/api/v1/organizations/${id}/members`;
  const answer = await app.api.post<Invitation>(path, { token: admin.token, json: { role: 'member', ...json } });
  return { ...answer, id, admin };
}

describe('The mail about an invitation', () => {
  it('goes to an address, names who invites to what, and links to the service', async () => {
    const email = newAddress();
    const { status, body, admin } = await invite({ email }, 'Harbour Outfitters');
    expect(status).toBe(201);
    const mail = await server.mailTo(email, 'You are invited');
    expect(mail.subject).toBe('You are invited to “Harbour Outfitters”');
    expect(mail.text.replace(/\s+/g, ' ')).toContain(
      `${admin.username} invites you to the organization “Harbour Outfitters”, as a member.`,
    );
    expect(mail.text.replace(/\s+/g, ' ')).toContain(String(body.expiresAt).slice(0, 10));
    expect(mail.links).toEqual(['https://shop.example/docs']);
  });

  it('goes to an account invited by its username', async () => {
    const { username, email } = await insertUser(app);
    await invite({ username });
    await server.mailTo(email, 'You are invited');
  });

  it('shows the name of an organization as plain text, whatever it contains', async () => {
    const name =
      'You won! https://evil.example/x www.evil.example\r\nBcc: a@evil.example ｅｖｉｌ。example <a href="//e">';
    const email = newAddress();
    await invite({ email }, `${name}${'y'.repeat(90)}`);
    const mail = await server.mailTo(email, 'You are invited');
    expect(mail.links).toEqual(['https://shop.example/docs']);
    expect(mail.headers.filter(([header]) => header === 'bcc')).toEqual([]);
    expect(mail.subject.length).toBeLessThan(150);
    for (const shown of [mail.text, mail.subject]) expect(shown).not.toMatch(/evil\.example|:\/\/evil|@evil|。e|y{80}/);
    expect(mail.html).not.toContain('<a href="//e">');
  });

  it('is sent once for a repeated invitation', async () => {
    const email = newAddress();
    const { id, admin } = await invite({ email });
    const path = `/api/v1/organizations/${id}/members`;
    const again = await app.api.post(path, { token: admin.token, json: { email, role: 'admin' } });
    expect(again.status).toBe(200);
    await allMailsSent(app);
    expect(server.mailsTo(email)).toHaveLength(1);
  });

  it('reaches an address only so many times a day; further invitations are made without one', async () => {
    const email = newAddress();
    for (let number = 0; number < 4; number++) {
      const { status } = await invite({ email: number % 2 === 0 ? email : email.toUpperCase() });
      expect(status).toBe(201);
    }
    await allMailsSent(app);
    expect(server.mailsTo(email)).toHaveLength(2);
  });

  it('is not sent once the invitation is revoked', async () => {
    server.plans = [{ at: 'message', does: 451 }];
    const email = newAddress();
    const { body, id, admin } = await invite({ email });
    const retried = () =>
      app.database.rows(`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'mail' AND attempts = 1`);
    await until(async () => (await retried()).length === 1 && server.plans.length === 0);
    await app.api.delete(`/api/v1/organizations/${id}/invitations/${body.invitationId}`, { token: admin.token });
    await app.database.rows('UPDATE graphile_worker._private_jobs SET run_at = now()');
    await allMailsSent(app);
    expect(server.mailsTo(email)).toEqual([]);
  });
});
