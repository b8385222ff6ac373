// Puts the built service and its packages into a few files, dist/service: Node loads them in less than half the time that
// their two thousand modules take. docs/decisions/2026-11-23-service-in-few-files.md
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { rolldown } from 'rolldown';

const entry = fileURLToPath(new URL('../dist/src/main.js', import.meta.url));
const folder = fileURLToPath(new URL('../dist/service/', import.meta.url));

/** Packages with native parts or with files that they look for, and those that would be loaded twice. */
const leftAsTheyAre = new Set(['@node-rs/argon2', 'reflect-metadata', 'sharp', 'typescript']);
/** Optional packages of Nest, TypeORM and pg. */
const notInstalled = /^(@nestjs\/(microservices|websockets)|@fastify\/|pg-native$|cloudflare:)/;

/**
 * Modules that would load from a package what is in the bundle already, or what the service does without, each with a text
 * and what takes its place.
 */
const rewritten = new Map([
  // All of TypeORM once more, for two names that it has no longer.
  ['@nestjs/typeorm/dist/common/typeorm-compat.js', [`const typeorm = require('typeorm');`, `return undefined;`]],
  // Node's fetch and all that it needs: to find out whether this is Cloudflare, and to send by it, which nobody asks for.
  ['pg/lib/stream.js', ['if (isCloudflareRuntime()) {', 'if (false) {']],
  ['axios/lib/adapters/fetch.js', ['const adapter = getFetch();', 'const adapter = undefined;']],
]);

/** A module's code, changed where that is due. */
async function codeOf(id) {
  const code = await readFile(id, 'utf8');
  const [path, change] = [...rewritten].find(([end]) => id.endsWith(`/node_modules/${end}`)) ?? [];
  if (!change || !code.includes(change[0])) return code;
  rewritten.delete(path);
  return code.replace(change[0], () => change[1]);
}

/** Makes stack traces name the TypeScript, but leaves out the maps of packages, which take as long to load as the packages. */
const sources = {
  name: 'sources',
  async load(id) {
    if (!/\.[cm]?js$/.test(id)) return null;
    const isOwn = !id.includes('node_modules') && existsSync(`${id}.map`);
    return { code: await codeOf(id), map: isOwn ? await readFile(`${id}.map`, 'utf8') : { mappings: '' } };
  },
};

const manyBytes = /(\\*)([^\0-\xff])/g;

/**
 * V8 keeps the source of all that it runs, in two bytes a character where one of them does not fit into a byte, and in one
 * byte else. Only texts and patterns have such characters, and escaped they mean the same.
 */
function inOneByte(code) {
  if (/String\.raw`[^`]*[^\0-\xff]/.test(code)) throw new Error('An escape would change a raw text');
  return code.replace(manyBytes, (_, before, character) => {
    const isEscaped = before.length % 2 === 1;
    const hexadecimal = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `${isEscaped ? before.slice(1) : before}\\u${hexadecimal}`;
  });
}

/** The mappings of a part's code, whose characters after an escape have moved. */
function movedMappings(mappings, code) {
  const lines = code.split('\n');
  const moved = decode(mappings).map((segments, line) => {
    let [from, length] = [0, 0];
    return segments.map(([column, ...source]) => {
      length += inOneByte(lines[line].slice(from, column)).length;
      from = column;
      return [length, ...source];
    });
  });
  return encode(moved);
}

const bundle = await rolldown({
  input: { main: entry },
  platform: 'node',
  external: (id) => leftAsTheyAre.has(id) || notInstalled.test(id),
  plugins: [sources],
});
const { output: written } = await bundle.write({
  dir: folder,
  // Node 20 can take compiled code for CommonJS alone (src/compile-cache.ts).
  format: 'cjs',
  dynamicImportInCjs: false,
  entryFileNames: '[name].js',
  chunkFileNames: 'parts/[name]-[hash].js',
  comments: false,
  // V8 keeps the source of all that it runs; names stay, as classes and stack traces have them.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  // The interface description, the entities and the errors are named after their classes.
  keepNames: true,
  sourcemap: true,
  sourcemapExcludeSources: true,
});

if (rewritten.size > 0) throw new Error(`Look anew at what changed in ${[...rewritten.keys()].join(', ')}`);
await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
for (const { type, fileName, code, map } of written) {
  if (type !== 'chunk') continue;
  await writeFile(join(folder, fileName), inOneByte(code));
  if (!map) continue;
  const mappings = movedMappings(map.mappings, code);
  await writeFile(join(folder, `${fileName}.map`), JSON.stringify({ ...map, mappings }));
}
await rm(join(folder, 'compiled'), { recursive: true, force: true });

/** A service that was started before this build may still load a part of its own. */
const keptMs = 24 * 60 * 60_000;
const names = new Set(written.map(({ fileName }) => fileName));
for (const name of await readdir(join(folder, 'parts'))) {
  const part = join(folder, 'parts', name);
  if (!names.has(`parts/${name}`) && Date.now() - (await stat(part)).mtimeMs > keptMs) await rm(part);
}
