// Lets plain Node run the project's TypeScript: `node --import ./scripts/ts-loader.mjs file.ts`.
// Jest does the same for test files with @swc/jest; this is for separate processes, which reuse what earlier ones compiled.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const swcOptions = JSON.parse(await readFile(new URL('../.swcrc', import.meta.url), 'utf8'));
const options = { ...swcOptions, swcrc: false, sourceMaps: 'inline' };
/** The packages that are taken as sources, like the rest of the project. */
const ours = /^@store-service\/(demo|embedded-postgres|sdk)$/;
const cache = new URL('../node_modules/.cache/ts-loader/', import.meta.url);

export async function resolve(specifier, context, next) {
  const [, name] = ours.exec(specifier) ?? [];
  if (name) return next(new URL(`../packages/${name}/src/index.ts`, import.meta.url).href, context);
  if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !context.parentURL?.endsWith('.ts')) return next(specifier, context);
  return next(specifier.replace(/\.js$/, '.ts'), context);
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  return { format: 'module', source: await compiled(filename, await readFile(filename, 'utf8')), shortCircuit: true };
}

/** The JavaScript of a file with this text. */
export async function compiled(filename, text) {
  const key = createHash('sha256').update(JSON.stringify({ options, filename, text })).digest('hex');
  const file = new URL(`${key}.mjs`, cache);
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept !== null) return kept;
  const { transform } = await import('@swc/core');
  const { code } = await transform(text, { ...options, filename });
  await keep(file, code).catch(() => undefined); // a read-only checkout is compiled each time
  return code;
}

/** Written aside and renamed, so that another process never finds half of it. */
async function keep(file, code) {
  const draft = new URL(`${file.href}.${process.pid}`);
  await mkdir(cache, { recursive: true });
  await writeFile(draft, code);
  await rename(draft, file);
}

if (isMainThread) register(import.meta.url);
