import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';

/** What the page uses of the phone's packages, by their published types. */
const phone = `
declare module 'react-native-url-polyfill/auto' {}
declare module 'expo-secure-store' {
  export function getItemAsync(key: string): Promise<string | null>;
  export function setItemAsync(key: string, value: string): Promise<void>;
  export function deleteItemAsync(key: string): Promise<void>;
}
declare module 'expo-crypto' {
  export function randomUUID(): string;
}
declare module 'react-native' {
  export const PixelRatio: { get(): number };
  export const Linking: { openURL(url: string): Promise<unknown> };
}
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-mobile-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The files of the page: each block begins with its name. */
async function files(): Promise<Map<string, string>> {
  const page = await readFile('docs/mobile.md', 'utf8');
  const blocks = [...page.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)];
  return new Map(blocks.map(([, name = '', code = '']) => [name, code]));
}

function faultsOf(names: string[]): string[] {
  const program = ts.createProgram(names, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    paths: { '@store-service/sdk': [resolve('packages/sdk/src/index.ts')] },
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1} ` : '';
    return line + ts.flattenDiagnosticMessageText(messageText, '\n');
  });
}

describe('docs/mobile.md', () => {
  it('shows code that fits the SDK', async () => {
    const found = await files();
    expect([...found.keys()]).toEqual(['store.ts', 'sign-in.ts', 'picture.ts', 'checkout.ts', 'photo.ts']);
    await mkdir(join(folder, 'app'));
    const names = [join(folder, 'app', 'phone.d.ts')];
    await writeFile(names[0] ?? '', phone);
    for (const [name, code] of found) {
      names.push(join(folder, 'app', name));
      await writeFile(names.at(-1) ?? '', code);
    }
    expect(faultsOf(names)).toEqual([]);
  });

  it('would not pass with a call that the SDK does not have', async () => {
    const name = join(folder, 'wrong.ts');
    await writeFile(
      name,
      "import { createStoreClient } from '@store-service/sdk';\ncreateStoreClient({ baseUrl: '' }).auth.fly();\n",
    );
    expect(faultsOf([name])).toEqual([expect.stringContaining("Property 'fly' does not exist")]);
  });
});
