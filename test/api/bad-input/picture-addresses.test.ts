import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertAdmin } from '../../support/accounts.js';
import { type Operation, Operations } from '../../support/operations.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

interface PictureField {
  operation: Operation;
  field: string;
}

let app: TestApp;
let token: string;
let operations: Operations;
let fields: PictureField[];
beforeAll(async () => {
  app = await startTestApp();
  ({ token } = await insertAdmin(app));
  operations = await Operations.of(app);
  fields = operations.withBody().flatMap((operation) =>
    Object.keys(operations.resolved(operation.body).properties ?? {})
      .filter((name) => /(image|avatar|picture|photo|icon|logo)_?url$/i.test(name))
      .map((field) => ({ operation, field })),
  );
});
afterAll(() => app.close());

/** The type of problem reported for this field with this value, or null if it is accepted. */
async function faultOf({ operation, field }: PictureField, value: string): Promise<string | null> {
  const sample = operations.sample(operation.body ?? {}) as Record<string, unknown>;
  const json = { ...sample, [field]: value };
  const { status, body } = await app.api.send(operation.method, operations.address(operation), { token, json });
  const { detail } = body as { detail?: { loc: unknown[]; type: string }[] };
  if (status !== 422) return null;
  return detail?.find(({ loc }) => loc[1] === field)?.type ?? null;
}

const refused = [
  ['javascript:alert(1)', 'JavaScript:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)', '\tjavascript:x'],
  ['data:image/svg+xml,<svg onload=alert(1)>', 'data:image/png;base64,AAAA', 'vbscript:x', 'blob:https://a.example/x'],
  ['file:///etc/passwd', 'ftp://a.example/x.png', 'mailto:a@a.example', '//a.example/x.png', 'a.example/x.png'],
  ['https://', 'https:///x', 'https:x', 'https:/a.example', 'http://a b.example/x', 'https://[::1', 'https://a:99999/'],
  ['https://user@a.example/x', 'https://user:secret@a.example/x', 'https://@a.example/', 'https://:@a.example/'],
  ['https://a.example/"onerror=', 'https://a.example/<svg>', 'https://a.example/a b', 'https:\\\\a.example\\x'],
  ['https://a.example/\u0000', 'https://a.example/\u2028x', 'https://999.999.999.999/x', 'https://a%00b.example/'],
  ['/etc/passwd', '/uploads', '/uploads/', '/uploads/avatar', '/uploads/avatar/', '/uploads/secret/a.png', '/a.png'],
  [
    '/uploads/avatar/..',
    '/uploads/avatar/.',
    '/uploads/avatar/../a.png',
    '/uploads/../a.png',
    '/uploads/avatar/.a.png',
  ],
  [
    '/uploads/avatar/a..png',
    '/uploads/avatar/a/b.png',
    '/uploads//a.png',
    '/uploads/avatar/%2e%2e',
    '/uploads/avatar/a',
  ],
  ['/uploads/avatar/a.png?x', '/uploads/avatar/a.png#x', '\\uploads\\avatar\\a.png', 'uploads/avatar/a.png', 'x'],
  [`https://a.example/${'x'.repeat(2_048)}`],
].flat();

const taken = [
  [
    'https://a.example',
    'http://a.example/lamp.jpg',
    'HTTPS://A.EXAMPLE/Lamp.JPG',
    'https://a.example:8443/x?w=1&h=2#top',
  ],
  [
    'https://xn--bcher-kva.example/x',
    'https://bücher.example/größe.png',
    "https://a.example/men's.jpg",
    'http://[2001:db8::1]/x',
  ],
  ['https://a.example/@maria/photo.jpg', 'https://a.example/a%20b.png', 'https://a.example/../x'],
  ['/uploads/product/a1-b2.webp', '/uploads/avatar/ada.webp', '/uploads/general/demo_lamp-red.webp'],
].flat();

describe('The fields of openapi.json that take the address of a picture', () => {
  it('are those of products, categories, avatars, guests, reviews and the shop', () => {
    expect(fields.map(({ operation, field }) => `${operation.method} ${operation.path} ${field}`).sort()).toEqual([
      'PATCH /api/v1/admin/categories/{slug} image_url',
      'PATCH /api/v1/admin/shop logo_url',
      'POST /api/v1/admin/categories image_url',
      'POST /api/v1/admin/products image_url',
      'POST /api/v1/auth/register avatar_url',
      'POST /api/v1/products/ image_url',
      'POST /api/v1/reviews/product/{product_id} image_url',
      'PUT /api/v1/admin/products/{product_id} image_url',
      'PUT /api/v1/products/{product_id} image_url',
      'PUT /api/v1/testimonials/{testimonial_id} guest_avatar_url',
      'PUT /api/v1/users/me/profile avatar_url',
    ]);
  });

  it('refuse everything but web addresses and uploads', async () => {
    const passed: string[] = [];
    for (const field of fields) {
      for (const value of refused) {
        const fault = await faultOf(field, value);
        if (fault === null) passed.push(`${field.operation.method} ${field.operation.path}: ${JSON.stringify(value)}`);
      }
    }
    expect(passed).toEqual([]);
  });

  it('take web addresses and uploads', async () => {
    const stopped: string[] = [];
    for (const field of fields) {
      for (const value of taken) {
        const fault = await faultOf(field, value);
        if (fault !== null) stopped.push(`${field.operation.path}: ${JSON.stringify(value)}: ${fault}`);
      }
    }
    expect(stopped).toEqual([]);
  });

  it('accept the address that an upload returns', async () => {
    const stored = `/uploads/general/${crypto.randomUUID()}.avif`;
    for (const field of fields) expect(await faultOf(field, stored)).toBeNull();
  });
});
