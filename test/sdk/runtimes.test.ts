import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createContext, type Module, runInContext, SourceTextModule } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { transform } from '@swc/core';

/** Every module of the SDK, as minified JavaScript. */
const modules = new Map<string, string>();
beforeAll(async () => {
  for (const file of await readdir('packages/sdk/src', { recursive: true })) {
    if (!file.endsWith('.ts')) continue;
    const { code } = await transform(await readFile(join('packages/sdk/src', file), 'utf8'), {
      jsc: { target: 'es2022', parser: { syntax: 'typescript' }, minify: { compress: true, mangle: true } },
      minify: true,
      module: { type: 'es6' },
    });
    modules.set(file.replace(/\.ts$/, '.js'), code);
  }
});

/** The SDK, loaded in a separate context. */
async function loadInto(context: object): Promise<void> {
  const loaded = new Map<string, SourceTextModule>();
  const moduleOf = (identifier: string): SourceTextModule => {
    const known =
      loaded.get(identifier) ?? new SourceTextModule(modules.get(identifier) ?? '', { identifier, context });
    loaded.set(identifier, known);
    return known;
  };
  const index = moduleOf('index.js');
  await index.link((name: string, from: Module) => moduleOf(join(dirname(from.identifier), name)));
  await index.evaluate();
  (context as { sdk?: object }).sdk = index.namespace;
}

/** The globals that browsers, workers, Node.js, Deno and Bun share. */
const web = ['fetch', 'Request', 'Response', 'Headers', 'FormData', 'Blob', 'URL', 'AbortController', 'AbortSignal'];
const further = ['TextEncoder', 'TextDecoder', 'crypto', 'setTimeout', 'clearTimeout', 'atob', 'btoa'];

function contextOf(extra: Record<string, unknown>): Record<string, unknown> {
  const here = globalThis as unknown as Record<string, unknown>;
  return createContext({ ...Object.fromEntries([...web, ...further].map((name) => [name, here[name]])), ...extra });
}

/** Completes an upload as a browser's XMLHttpRequest does, and counts on it. */
class XhrOfTheTest extends EventTarget {
  static sent: { headers: Record<string, string>; body: unknown }[] = [];
  readonly upload = new EventTarget();
  readonly headers: Record<string, string> = {};
  static answers = 200;
  status = 0;
  response: unknown;
  open(): void {}
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  getAllResponseHeaders(): string {
    return 'content-type: application/json\r\n';
  }
  send(body: unknown): void {
    XhrOfTheTest.sent.push({ headers: this.headers, body });
    for (const loaded of [5, 10]) {
      this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total: 10 }));
    }
    this.status = XhrOfTheTest.answers;
    this.response = new TextEncoder().encode('{"url": "/uploads/one.png"}').buffer;
    this.dispatchEvent(new Event('load'));
  }
}

const upload = `(async () => {
  const fetch = async () => new Response('{"url": "/by-fetch.png"}', { headers: { 'content-type': 'application/json' } });
  const store = sdk.createStoreClient({ baseUrl: 'http://shop.test', fetch });
  const told = [];
  const body = { file: new Blob(['0123456789']) };
  const { data } = await store.uploads.avatar({ body, ...sdk.onUploadProgress((progress) => told.push({ ...progress })) });
  return JSON.stringify({ url: data.url, told });
})()`;

async function uploadIn(extra: Record<string, unknown>): Promise<unknown> {
  const context = contextOf(extra);
  await loadInto(context);
  return JSON.parse(await (runInContext(upload, context) as Promise<string>));
}

describe('The SDK', () => {
  it('takes at most 13 kB in whole, minified and compressed', () => {
    // Joined as by a bundler, without imports; the modules' exports still count.
    const all = [...modules.values()].join('').replaceAll(/import(?:\{[^}]*\}from)?"[^"]+";?/g, '');
    expect(all).not.toMatch(/\bimport[{*"]/);
    expect(gzipSync(all, { level: 9 }).length).toBeLessThanOrEqual(13_312);
  });

  it('imports nothing but itself', async () => {
    const files = (await readdir('packages/sdk/src', { recursive: true })).filter((file) => file.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(15);
    for (const file of files) {
      const source = await readFile(join('packages/sdk/src', file), 'utf8');
      const imports = [...source.matchAll(/^(?:import|export|\}) ?.*from '([^']+)'|import\('([^']+)'/gm)].map(
        ([, name, later]) => name ?? later,
      );
      expect({ file, imports: imports.filter((name) => !name?.startsWith('.')) }).toEqual({ file, imports: [] });
      expect({
        file,
        uses: /\b(process|Buffer|require)\b\.?\(?/.exec(source.replace(/\/\*[^]*?\*\//g, ''))?.[0],
      }).toEqual({ file, uses: undefined });
    }
  });

  it('runs on the bare web platform, and reports start and end of an upload', async () => {
    const told = [0, 10].map((loaded) => ({ loaded, total: 10 }));
    await expect(uploadIn({})).resolves.toEqual({ url: '/by-fetch.png', told });
  });

  it('reports every step of an upload when there is an XMLHttpRequest', async () => {
    const told = [5, 10].map((loaded) => ({ loaded, total: 10 }));
    await expect(uploadIn({ XMLHttpRequest: XhrOfTheTest })).resolves.toEqual({ url: '/uploads/one.png', told });
    const [{ headers, body } = { headers: {}, body: undefined }] = XhrOfTheTest.sent;
    expect(body).toBeInstanceOf(FormData);
    expect(headers).not.toHaveProperty('content-type');
  });

  it('fails an upload without a valid response, rather than hang', async () => {
    XhrOfTheTest.answers = 0;
    await expect(uploadIn({ XMLHttpRequest: XhrOfTheTest })).rejects.toMatchObject({ name: 'RangeError' });
    XhrOfTheTest.answers = 200;
  });
});
