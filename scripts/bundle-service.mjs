// Puts the built service and its packages into a few files, dist/service: Node loads them in less than half the time that
// their two thousand modules take. docs/decisions/2026-11-23-service-in-few-files.md
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const entry = fileURLToPath(new URL('../dist/src/main.js', import.meta.url));
const folder = fileURLToPath(new URL('../dist/service/', import.meta.url));

/** Packages with native parts or with files that they look for, and those that would be loaded twice. */
const leftAsTheyAre = new Set(['@node-rs/argon2', 'pino', 'reflect-metadata', 'sharp', 'typescript']);
/** Optional packages of Nest, TypeORM and pg. */
const notInstalled = /^(@nestjs\/(microservices|websockets)|@fastify\/|pg-native$|cloudflare:)/;

/** Makes stack traces name the TypeScript, but leaves out the maps of packages, which take as long to load as the packages. */
const sources = {
  name: 'sources',
  async load(id) {
    if (!/\.[cm]?js$/.test(id)) return null;
    const isOwn = !id.includes('node_modules') && existsSync(`${id}.map`);
    return { code: await readFile(id, 'utf8'), map: isOwn ? await readFile(`${id}.map`, 'utf8') : { mappings: '' } };
  },
};

const bundle = await rolldown({
  input: { main: entry },
  platform: 'node',
  external: (id) => leftAsTheyAre.has(id) || notInstalled.test(id),
  plugins: [sources],
});
const { output: written } = await bundle.write({
  dir: folder,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'parts/[name]-[hash].js',
  comments: false,
  // The interface description, the entities and the errors are named after their classes.
  keepNames: true,
  sourcemap: true,
  sourcemapExcludeSources: true,
});

/** A service that was started before this build may still load a part of its own. */
const keptMs = 24 * 60 * 60_000;
const names = new Set(written.map(({ fileName }) => fileName));
for (const name of await readdir(join(folder, 'parts'))) {
  const part = join(folder, 'parts', name);
  if (!names.has(`parts/${name}`) && Date.now() - (await stat(part)).mtimeMs > keptMs) await rm(part);
}
