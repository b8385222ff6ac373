import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestSend } from '../../packages/sdk/src/index.js';
import { insertProduct } from '../support/goods.js';
import { nodes } from '../support/nodes.js';
import { codeOf } from '../support/one-time-codes.js';
import { insertOrganization } from '../support/organizations.js';
import { makePicture } from '../support/pictures.js';
import { installSdk, userEnv as env } from '../support/sdk-package.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const run = promisify(execFile);
const typesOfNode = resolve('node_modules/@types');
const compiler = resolve('node_modules/typescript/bin/tsc');

/** Everything in a user's project. */
const compilerOptions = {
  strict: true,
  target: 'es2022',
  module: 'nodenext',
  types: ['node'],
  typeRoots: [typesOfNode],
};

let service: TestApp;
let folder: string;
let port: number;
let picture: Buffer;

/** The code blocks of a section of a document, as printed. */
async function blocksOf(document: string, title: string): Promise<string[]> {
  const section = (await readFile(document, 'utf8')).split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code ?? '');
}

/** The programs printed in the documentation. */
async function printedPrograms(): Promise<Record<string, string>> {
  const recipes = await blocksOf('packages/sdk/README.md', 'Twelve recipes');
  return {
    'ten-minutes': (await blocksOf('packages/sdk/README.md', 'A shop client in ten minutes')).join('\n'),
    recipes: recipes.slice(0, -1).join('\n'),
    receiver: recipes.at(-1) ?? '',
    shop: (await blocksOf('packages/sdk/README.md', 'A whole shop client')).join('\n'),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  return free;
}

async function compile(): Promise<void> {
  for (const [name, code] of Object.entries(await printedPrograms())) {
    const here = code.replaceAll('http://127.0.0.1:3000', service.baseUrl).replace('listen(4000', `listen(${port}`);
    await writeFile(join(folder, 'shop', `${name}.ts`), here);
  }
  await writeFile(join(folder, 'shop/tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  await run(process.execPath, [compiler, '-p', '.'], { cwd: join(folder, 'shop') }).catch((error: unknown) => {
    throw new Error(`The programs do not compile: ${(error as { stdout: string }).stdout}`);
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-sdk-package-'));
  [service, port] = await Promise.all([
    startTestApp({ env: { EGRESS_ALLOW: '127.0.0.1' } }),
    freePort(),
    installSdk(folder),
  ]);
  await insertProduct(service, { name: 'Linen shirt', price: 49.9, stock: 100 });
  picture = await makePicture('png');
  await writeFile(join(folder, 'shop/me.png'), picture);
  await compile();
}, 300_000);
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a program until it ends; `answer` gets its output so far and may type something. */
async function print(
  name: string,
  answer?: (printed: string) => string | undefined,
  node = process.execPath,
): Promise<string[]> {
  const child = spawn(node, [name.endsWith('.mjs') ? name : `${name}.js`], { cwd: join(folder, 'shop'), env });
  let printed = '';
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  child.stdout.on('data', (data: Buffer) => {
    printed += data.toString();
    const typed = answer?.(printed);
    if (typed !== undefined) child.stdin.write(`${typed}\n`);
  });
  const [code] = (await once(child, 'close')) as [number];
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return printed.trim().split('\n');
}

describe('The package of the SDK', () => {
  it('installs without dependencies, with its types and README', async () => {
    expect(await readdir(join(folder, 'shop/node_modules'))).toEqual(['.package-lock.json', '@store-service']);
    const files = await readdir(join(folder, 'shop/node_modules/@store-service/sdk'));
    expect(files.sort()).toEqual(['README.md', 'dist', 'package.json']);
  });

  it('is used in printed programs without a cast, of the promised length', async () => {
    const programs = await printedPrograms();
    for (const [name, code] of Object.entries(programs)) {
      expect({ name, cast: /\bas (?!const)\w+|\bany\b|[\w)\]]!\.|@ts-/.exec(code)?.[0] }).toEqual({ name });
    }
    const length = (name: string) => programs[name]?.trim().split('\n').length ?? 0;
    expect(await blocksOf('packages/sdk/README.md', 'Twelve recipes')).toHaveLength(12);
    expect(length('receiver')).toBeLessThanOrEqual(20);
    expect(length('shop')).toBeLessThanOrEqual(60);
  });

  const order = [expect.stringMatching(/^Order \d+: \d+(\.\d+)?$/)];

  it("does what README's shop client in ten minutes says", async () => {
    await expect(print('ten-minutes')).resolves.toEqual(order);
  });

  it.each(nodes)('does the same as shop.mjs, by %s', async (node) => {
    const { 'ten-minutes': printed = '' } = await printedPrograms();
    const name = `anne${nodes.indexOf(node)}`;
    const here = printed.replaceAll('http://127.0.0.1:3000', service.baseUrl).replaceAll('mary', name);
    await writeFile(join(folder, 'shop/shop.mjs'), here);
    await expect(print('shop.mjs', undefined, node)).resolves.toEqual(order);
  });

  it.each(nodes)('runs in a worker thread of %s', async (node) => {
    const worker = `
      import { Worker, isMainThread, parentPort } from 'node:worker_threads';
      import { createStoreClient, verifyWebhook } from '@store-service/sdk';
      if (isMainThread) new Worker(new URL(import.meta.url)).on('message', (line) => console.log(line));
      else {
        const { data } = await createStoreClient({ baseUrl: '${service.baseUrl}' }).products.list();
        const refused = await verifyWebhook('{}', {}, 'whsec_').catch(({ name }) => name);
        parentPort.postMessage(data.length + ' ' + refused);
      }`;
    await writeFile(join(folder, 'shop/worker.mjs'), worker);
    await expect(print('worker.mjs', undefined, node)).resolves.toEqual(['1 WebhookVerificationError']);
  });

  it('makes a complete shop client, from the registration to the sign-out', async () => {
    let answered = 0;
    const codes = (printed: string) => {
      const secret = /authenticator app: (.*)\n/.exec(printed)?.[1]?.replaceAll(' ', '') ?? '';
      const asked = printed.match(/code: /gi)?.length ?? 0;
      return asked > answered ? codeOf(secret, answered++) : undefined;
    };
    await expect(print('shop', codes)).resolves.toEqual([
      'Welcome, ada',
      '1 products, of them shirts: Linen shirt',
      'In the cart: 2 × Linen shirt',
      expect.stringMatching(/^Order \d+: pending, 105.79$/),
      'Rated 5 by 1',
      `Sent 0 of ${picture.length} bytes`,
      `Sent ${picture.length} of ${picture.length} bytes`,
      'A picture of 60 by 40',
      expect.stringMatching(/^For your authenticator app: [A-Z2-7 ]+$/),
      'Code: 10 recovery codes',
      'Next code: 1 order of ada',
      'The session is over',
      expect.stringMatching(/^Refused: This access token was revoked/),
    ]);
    const sessions = await service.database.rows<{ isOver: boolean; isRenewed: boolean }>(
      `SELECT ended_at IS NOT NULL AS "isOver", rotated_at IS NOT NULL AS "isRenewed" FROM sessions
       JOIN users ON users.id = user_id WHERE username = 'ada' ORDER BY sessions.id`,
    );
    expect(sessions).toEqual([
      { isOver: true, isRenewed: false },
      { isOver: true, isRenewed: true },
    ]);
  });

  it('does what the recipes say, in the printed order', async () => {
    await expect(print('recipes')).resolves.toEqual([
      '1 Linen shirt: 49.9',
      '1 of 1',
      'Signed in as alan@example.com',
      'Welcome back, alan',
      expect.stringMatching(/^Sold out: /),
      expect.stringMatching(/^body\.quantity: /),
      'One order of 105.79',
      'Sent 0 %',
      'Sent 100 %',
      'Aborted: left the page',
      '1 new, 0 known',
      'HIGH sql-injection',
      '0 new, 1 known',
      'Followed',
    ]);
  });

  it("receives a webhook that the service signed, and refuses another's", async () => {
    const { admin } = await insertOrganization(service);
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const receiver = spawn(process.execPath, ['receiver.js'], {
      cwd: join(folder, 'shop'),
      env: { ...env, WEBHOOK_SECRET: secret },
    });
    try {
      await once(receiver.stdout, 'data');
      const action = (by: string) => ({
        type: 'EXPORT',
        integrationKind: 'WEBHOOK',
        parameters: { url: `http://127.0.0.1:${port}/`, secret: by },
      });
      const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
      const json = {
        name: 'To the receiver',
        trigger: { type: 'NEW_ISSUE' },
        actions: [action(secret), action(other)],
      };
      const made = await service.api.post<{ id: string }>('/api/v1/workflows', { token: admin.token, json });
      const path = `/api/v1/workflows/${made.body.id}/test`;
      const printed = once(receiver.stdout, 'data') as Promise<[Buffer]>;
      const { body } = await service.api.post<TestSend>(path, { token: admin.token });
      expect(body.results).toMatchObject([
        { delivered: true, statusCode: 204 },
        { delivered: false, statusCode: 401, response: expect.stringContaining('not by this secret') },
      ]);
      expect((await printed).toString()).toMatch(/^A sample \S+\n$/);
    } finally {
      receiver.kill();
    }
  });
});
