import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertUser } from '../support/accounts.js';
import { type ClientScene, type Printed, startClientScene } from '../support/client-scene.js';
import { startReceiver } from '../support/receiver.js';

let scene: ClientScene;
beforeAll(async () => {
  scene = await startClientScene({ jobs: true, env: { EGRESS_ALLOW: '127.0.0.1' } });
});
afterAll(() => scene.close());

describe('store organization', () => {
  it('changes its name and its webhook payload, and nothing unasked', async () => {
    const changed = await scene.print('organization', 'update', '--name', 'Harbour', '--scoped-payload', 'on');
    expect(changed).toMatchObject({ name: 'Harbour', scopedWebhookExportPayload: true });
    await scene.print('org', 'update', '--scoped-payload', 'off');
    const { stdout } = await scene.run(['organization', 'get']);
    expect(stdout).toMatch(/\nNAME +Harbour\nSCOPED PAYLOAD +off\n/);
    expect(await scene.run(['organization', 'update'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('lists who did what within a span of time', async () => {
    const { id } = await scene.print('keys', 'create', 'Audited');
    const [newest] = await scene.print<Record<string, unknown>[]>('organization', 'audit', '--since', '1h');
    expect(newest).toMatchObject({ action: 'api_key.created', subject: { id } });
    expect(await scene.print('organization', 'audit', '--until', '2020-01-01')).toEqual([]);
    const { stdout } = await scene.run(['organization', 'audit', '--limit', '1']);
    expect(stdout).toMatch(/^ID +CREATED AT +WHO +ACTION +TO WHAT\n\S{36} .* api_key\.created +Audited\n$/);
  });
});

describe('store members', () => {
  it("changes a member's role by username, and removes them with their keys", async () => {
    const user = await insertUser(scene.app, { username: 'Grace' });
    await scene.app.database.rows(
      "INSERT INTO organization_members (organization_id, user_id, role) VALUES ($1, $2, 'admin')",
      [scene.organization.id, user.id],
    );
    expect(await scene.print('members', 'update', 'grace', '--role', 'viewer')).toMatchObject({ role: 'viewer' });
    expect((await scene.run(['members', 'update', 'nobody', '--role', 'viewer'])).code).toBe(4);
    expect(await scene.print('members', 'remove', user.id, '--revoke-keys')).toMatchObject({ username: 'Grace' });
    const left = await scene.print<{ username: string }[]>('members', 'list');
    expect(left.map(({ username }) => username)).not.toContain('Grace');
  });

  it('lists invitations, and revokes one', async () => {
    await scene.print('members', 'invite', 'new@example.com', '--role', 'viewer');
    const [invited] = await scene.print<{ invitationId: string }[]>('members', 'invitations');
    expect(invited).toMatchObject({ email: 'new@example.com', role: 'viewer' });
    const id = invited?.invitationId ?? '';
    expect(await scene.print('members', 'uninvite', id.slice(0, 23))).toEqual({ invitationId: id });
    expect(await scene.print('members', 'invitations')).toEqual([]);
    expect((await scene.run(['members', 'uninvite', id])).code).toBe(4);
  });
});

describe('store workflows and deliveries', () => {
  it('tests, runs, replays, rotates secrets and deletes', async () => {
    const receiver = await startReceiver();
    const actions = [{ type: 'EXPORT', integrationKind: 'WEBHOOK', parameters: { url: receiver.url } }];
    const body = { name: 'By hand', trigger: { type: 'MANUAL' }, actions };
    const { id } = await scene.print('workflows', 'create', '-f', await scene.file(body));
    expect(await scene.print('workflows', 'test', id)).toMatchObject({ results: [{ delivered: true }] });
    receiver.answerWith(500);
    const refused = await scene.run(['workflows', 'test', id]);
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringMatching(/ no +500 /)]);

    const rotated = await scene.print<{ secret: string }>('workflows', 'rotate-secret', id);
    expect(rotated.secret).toMatch(/^whsec_/);
    const before = receiver.received.length;
    const { runId } = await scene.print<{ runId: string }>('workflows', 'run', id);
    await receiver.has(before + 1);
    expect(receiver.received.at(-1)?.headers['webhook-signature']).toMatch(/^v1,/);
    expect(await scene.print<Printed[]>('workflows', 'runs', id)).toMatchObject([{ id: runId, status: 'SENT' }]);
    const payload = await scene.run(['deliveries', 'payload', 'latest']);
    expect(payload.stdout).toBe(receiver.received.at(-1)?.bytes.toString());

    const exhausted = "UPDATE webhook_deliveries SET status = 'EXHAUSTED', finished_at = now() WHERE run_id = $1";
    await scene.app.database.rows(exhausted, [runId]);
    expect(await scene.print('deliveries', 'replay-all', id, '--since', '1h')).toEqual({ replayed: 1 });
    await receiver.has(before + 2);

    expect(await scene.print('workflows', 'delete', id)).toEqual({ id });
    expect((await scene.run(['workflows', 'get', id])).code).toBe(4);
    await receiver.close();
  });
});
