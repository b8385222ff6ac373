// Generates sdk/src/generated from the interface description: `npm run sdk`. With --check it writes nothing, and fails
// where the committed files are not what the description gives.
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { interfaceDescription } from './interface-description.mjs';

const committed = fileURLToPath(new URL('../sdk/src/generated', import.meta.url));

/** Written for every client, and used by none of this service's operations. */
const unused = ['params', 'queryKeySerializer'];

async function withoutUnused(folder) {
  for (const name of unused) await rm(join(folder, `core/${name}.gen.ts`));
  const index = join(folder, 'client/index.ts');
  const lines = (await readFile(index, 'utf8')).split('\n');
  await writeFile(index, lines.filter((line) => !unused.some((name) => line.includes(`core/${name}.gen`))).join('\n'));
}

/** The service sends no server-sent events: their types stay, which the client's types name, and their code goes. */
async function withoutEvents(folder) {
  const file = join(folder, 'core/serverSentEvents.gen.ts');
  const source = await readFile(file, 'utf8');
  const start = source.indexOf('export const createSseClient');
  if (start < 0) throw new Error('The generator no longer writes createSseClient: look at its new version');
  await writeFile(
    file,
    `${source.slice(0, start)}export function createSseClient<TData = unknown>(
  _options: ServerSentEventsOptions,
): ServerSentEventsResult<TData> {
  throw new Error('The service sends no server-sent events');
}
`,
  );
}

/** A report may be the body itself, in one of many types, or a file of a form. The generator types one: the file. */
function withFilesAsForms(document) {
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    const { content } = operation.requestBody ?? {};
    const form = content?.['multipart/form-data'];
    if (form) operation.requestBody.content = { 'multipart/form-data': form };
  }
  return document;
}

async function generate(folder) {
  const { document } = await interfaceDescription();
  const input = join(folder, 'openapi.json');
  await writeFile(input, JSON.stringify(withFilesAsForms(JSON.parse(document))));
  const output = join(folder, 'generated');
  await createClient({
    input,
    logs: { level: 'silent', file: false },
    output: { path: output, entryFile: false, importFileExtension: '.js' },
    plugins: [
      { name: '@hey-api/client-fetch', throwOnError: true },
      { name: '@hey-api/typescript', definitions: { case: 'preserve' } },
      {
        name: '@hey-api/sdk',
        operations: {
          strategy: 'single',
          containerName: 'StoreApi',
          nesting: 'operationId',
          nestingDelimiters: /_/,
          methods: 'instance',
        },
      },
    ],
  });
  await withoutUnused(output);
  await withoutEvents(output);
  return output;
}

async function filesOf(folder) {
  if (!existsSync(folder)) return new Map();
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts')).sort();
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')])));
}

const work = await mkdtemp(join(tmpdir(), 'store-sdk-'));
try {
  const made = await generate(work);
  if (process.argv.includes('--check')) {
    const [now, then] = [await filesOf(made), await filesOf(committed)];
    const names = new Set([...now.keys(), ...then.keys()]);
    const stale = [...names].filter((name) => now.get(name) !== then.get(name));
    for (const name of stale) console.error(`sdk/src/generated/${name} is stale: npm run sdk`);
    if (stale.length > 0) process.exitCode = 1;
    else console.log('The SDK is what the interface description gives');
  } else {
    await rm(committed, { recursive: true, force: true });
    await cp(made, committed, { recursive: true });
    console.log('sdk/src/generated is made');
  }
} finally {
  await rm(work, { recursive: true, force: true });
}
