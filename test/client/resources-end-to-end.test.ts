import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClientScene, type Printed, startClientScene } from '../support/client-scene.js';

const narrow = 20;

let scene: ClientScene;
beforeAll(async () => {
  scene = await startClientScene();
});
afterAll(() => scene.close());

const frontend = { type: 'WEBAPP', url: 'https://shop.example.com/', ips: [], regionCountryCodes: [], tls: true };

describe.each([
  ['tags', { name: 'partner', color: '#c0392b' }, { color: '#8e44ad' }],
  ['profiles', { name: 'Front', scannerKind: 'FRONTEND_DAST', type: 'REST' }, { name: 'Front, version 2' }],
  ['locations', { name: 'Paris', type: 'PRIVATE', target: 'scanner.example.com' }, { enabled: false }],
  [
    'integrations',
    { name: 'Chat', kind: 'WEBHOOK', parameters: { url: 'https://chat.example.com/' } },
    { valid: false },
  ],
  ['assets', { name: 'Shop', type: 'WEBAPP', class: 'FRONTEND', frontend }, { name: 'Web shop' }],
])('store %s', (kind, make, change) => {
  it('makes, shows, changes and deletes one', async () => {
    const made = await scene.print(kind, 'create', '-f', await scene.file(make));
    expect(made).toMatchObject(make);
    expect(await scene.print(kind, 'get', made.id.slice(0, 23))).toEqual(made);
    const changed = await scene.print(kind, 'update', made.id, '-f', await scene.file(change));
    expect(changed).toMatchObject({ ...make, ...change });
    const shown = await scene.run([kind, 'get', 'latest']);
    expect(shown.stdout).toMatch(new RegExp(`^ID +${made.id}\nNAME +\\S`));
    expect(await scene.run([kind, 'delete', 'latest'])).toMatchObject({ code: 2, stdout: '' });
    expect(await scene.print(kind, 'delete', made.id)).toEqual({ id: made.id });
    expect((await scene.run([kind, 'get', made.id])).code).toBe(4);
  });

  it('accepts its own output as input, with a change', async () => {
    const made = await scene.print(kind, 'create', '-f', await scene.file(make));
    const edited = { ...made, ...change };
    expect(await scene.print(kind, 'update', made.id, '-f', await scene.file(edited))).toMatchObject(change);
    await scene.print(kind, 'delete', made.id);
    const again = await scene.print(kind, 'create', '-f', await scene.file(edited));
    expect(again).toMatchObject(change);
    expect(again.id).not.toBe(made.id);
  });

  it('lists whole ids on a terminal of 20 columns', async () => {
    const [one] = await scene.print<Printed[]>(kind, 'list');
    const { code, stdout } = await scene.run([kind, 'list'], { columns: narrow, env: { NO_COLOR: '1' } });
    expect([code, stdout]).toEqual([0, expect.stringContaining(`ID\n  ${one?.id}\n`)]);
  });
});

describe('store assets', () => {
  it('keeps the tags of an asset that is changed by its own output', async () => {
    const tag = await scene.print('tags', 'create', '-f', await scene.file({ name: 'kept' }));
    const body = { name: 'Tagged', type: 'WEBAPP', class: 'FRONTEND', tagIds: [tag.id] };
    const made = await scene.print('assets', 'create', '-f', await scene.file(body));
    const edited = { ...made, name: 'Tagged, renamed' };
    const changed = await scene.print('assets', 'update', made.id, '-f', await scene.file(edited));
    expect(changed).toMatchObject({ name: 'Tagged, renamed', tags: [{ id: tag.id }] });
  });
});
