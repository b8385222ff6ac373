import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { formWith } from '../../support/pictures.js';
import { UploadScene } from './upload-scene.js';

let scene: UploadScene;
beforeAll(async () => {
  scene = await UploadScene.start();
});
afterAll(() => scene.app.close());
beforeEach(() => scene.renewUser());

const path = '/api/v1/uploads/general';
const missing = { status: 422, body: { detail: [{ loc: ['body', 'file'], type: 'missing' }] } };

function sendForm(form?: FormData) {
  return scene.app.api.post(path, { token: scene.user.token, raw: form });
}

/** Sends a body that no form could make. */
function send(body: string | Buffer, contentType: string) {
  const headers = { 'content-type': contentType };
  const raw = typeof body === 'string' ? body : Uint8Array.from(body);
  return scene.app.api.post(path, { token: scene.user.token, raw, headers });
}

describe('POST /api/v1/uploads/general: the form', () => {
  it.each([
    ['photo.exe', 'application/x-msdownload'],
    ['../../../etc/passwd', 'image/png'],
    ['x.svg', 'image/svg+xml'],
    ['\u202Egnp.exe', ''],
  ])('ignores the name %j and the type %j', async (name, type) => {
    const { status, body } = await scene.upload('general', scene.png, scene.user, { name, type });
    expect(status).toBe(200);
    expect(body.content_type).toBe('image/png');
  });

  it('accepts 5 MiB, and responds with 413 to a byte more', async () => {
    const limit = 5 * 1024 * 1024;
    const padded = Buffer.concat([scene.png, Buffer.alloc(limit - scene.png.length)]);
    expect((await scene.upload('general', padded)).status).toBe(200);
    const answer = await scene.upload('general', Buffer.concat([padded, Buffer.alloc(1)]));
    expect(answer).toMatchObject({ status: 413, body: { code: 'file_too_large' } });
  });

  it('responds with 413 to a far larger file', async () => {
    const { status } = await scene.upload('general', Buffer.alloc(20 * 1024 * 1024));
    expect(status).toBe(413);
  });

  it('responds with 422 when the file is missing', async () => {
    const form = new FormData();
    form.append('other', 'text');
    expect(await sendForm(form)).toMatchObject(missing);
  });

  it('responds with 422 when the file is a text field', async () => {
    const form = new FormData();
    form.append('file', 'text');
    expect(await sendForm(form)).toMatchObject(missing);
  });

  it('responds with 422 without a body', async () => {
    expect(await sendForm()).toMatchObject(missing);
  });

  it('responds with 422 to a file in another field', async () => {
    const { status, body } = await scene.upload('general', scene.png, scene.user, { field: 'picture' });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'picture'], type: 'extra_forbidden' }] });
  });

  it('responds with 422 to two files', async () => {
    const form = formWith(scene.png);
    form.append('file', new Blob([Uint8Array.from(scene.png)]), 'two.png');
    expect(await sendForm(form)).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'file'] }] } });
  });

  it('ignores other fields', async () => {
    const form = formWith(scene.png);
    form.append('caption', 'at home');
    form.append('__proto__[x]', 'y');
    expect((await sendForm(form)).status).toBe(200);
  });

  it('responds with 415 to JSON of unknown length', async () => {
    const raw = new Blob(['{"file": "x"}']).stream();
    const headers = { authorization: `Bearer ${scene.user.token}`, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: raw, duplex: 'half' } as const;
    expect((await fetch(scene.app.baseUrl + path, request)).status).toBe(415);
  });

  it.each([
    ['JSON', '{"file": "x"}', 'application/json'],
    ['the bare picture', 'x', 'image/png'],
    ['a form in a URL', 'file=x', 'application/x-www-form-urlencoded'],
    ['another multipart type', '--x\r\n\r\n--x--', 'multipart/mixed; boundary=x'],
  ])('responds with 415 to %s', async (_name, body, contentType) => {
    expect((await send(body, contentType)).status).toBe(415);
  });

  it.each([
    ['without a boundary', 'x', 'multipart/form-data'],
    [
      'that is cut off',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      'multipart/form-data; boundary=x',
    ],
    ['with a broken part', '--x\r\nnonsense\r\n\r\nabc\r\n--x--', 'multipart/form-data; boundary=x'],
    ['of nothing', '', 'multipart/form-data; boundary=x'],
  ])('responds with 422 to a form %s', async (_name, body, contentType) => {
    const { status, body: answer } = await send(body, contentType);
    expect(status).toBe(422);
    expect(answer).toHaveProperty('detail');
  });

  it('responds with 401 without a token, whatever is sent', async () => {
    expect((await scene.app.api.post(path, { raw: formWith(scene.png) })).status).toBe(401);
  });
});
