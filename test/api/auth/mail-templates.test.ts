import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mailKinds } from '../../../src/platform/mail/mail-kinds.js';
import { insertAdmin, insertUser, newUsername } from '../../support/accounts.js';
import { checkout } from '../../support/checkout.js';
import { fillCart, insertProduct } from '../../support/goods.js';
import { allMailsSent, type MailServer, startMailServer } from '../../support/mail-server.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let folder: string;
let server: MailServer;
let app: TestApp;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-mail-templates-'));
  for (const [kind, placeholders] of Object.entries(mailKinds)) {
    const paragraphs = ['', 'Ours, {{name}} of {{shop}}.', ...Object.keys(placeholders).map((name) => `{{${name}}}`)];
    await writeFile(join(folder, `${kind}.txt`), [`Subject: Ours: ${kind}`, ...paragraphs].join('\n\n'));
  }
  await writeFile(join(folder, 'order-placed.html'), '<h1>{{order}}</h1>{{lines}}<p>{{name}}</p>');
  server = await startMailServer();
  app = await startTestApp({ env: { ...server.env, MAIL_TEMPLATES: folder, SHOP_NAME: 'Harbour & Co' }, jobs: true });
});
afterAll(async () => {
  await app.close();
  await server.close();
  await rm(folder, { recursive: true });
});

describe('A mail in the words of the shop', () => {
  it('has the values of its placeholders, and the link that it is about', async () => {
    const username = newUsername();
    const json = { username, email: `${username}@example.com`, password: 'correct horse 7' };
    expect((await app.api.post('/api/v1/auth/register', { json })).status).toBe(201);
    await allMailsSent(app);
    const [mail] = server.mailsTo(json.email);
    expect(mail?.subject).toBe('Ours: welcome');
    expect(mail?.text).toContain(`Ours, ${username} of Harbour & Co.`);
    expect(mail?.html).toContain('Harbour &amp; Co');
    const token = new URL(mail?.links[0] ?? '').searchParams.get('token');
    expect((await app.api.post('/api/v1/auth/email/confirm', { json: { token } })).status).toBe(200);
  });

  it('has rows in its text, and in a page of its own', async () => {
    const user = await insertUser(app);
    await fillCart(app, user, [await insertProduct(app, { name: 'Vase <b>', price: 3 })], 2);
    const { body: order } = await checkout(app.api, user, {});
    await allMailsSent(app);
    const [mail] = server.mailsTo(user.email);
    expect(mail?.text).toMatch(/2 × Vase <b>: +\$3\.00 each/);
    expect(mail?.html).toContain(`<h1>${order.id}</h1><table`);
    expect(mail?.html).toContain('Vase &lt;b&gt;');
  });

  it('is sent about security and keys likewise', async () => {
    const admin = await insertAdmin(app);
    const json = { name: 'ERP', scopes: ['stats:read'] };
    await app.api.post('/api/v1/admin/keys', { token: admin.token, json });
    await allMailsSent(app);
    const [mail] = server.mailsTo(admin.email);
    expect(mail?.subject).toBe('Ours: api-key-made');
    expect(mail?.text).toMatch(/Time: [^]*ERP[^]*the shop/);
  });
});

describe('A faulty template', () => {
  it('keeps the service from starting, with what is wrong', async () => {
    await writeFile(join(folder, 'welcome.txt'), 'Subject: Hi\n\n{{lnk}}');
    await expect(startTestApp({ env: { MAIL_TEMPLATES: folder } })).rejects.toThrow(
      /welcome\.txt has no placeholder \{\{lnk\}\}/,
    );
  });
});
