// Lets plain Node run the project's TypeScript: `node --import ./test/support/ts-loader.mjs file.ts`.
// Jest does the same for test files by @swc/jest; this is for what runs outside of its module system.
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from '@swc/core';

const options = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

export async function resolve(specifier, context, next) {
  if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !context.parentURL?.endsWith('.ts')) return next(specifier, context);
  return next(specifier.replace(/\.js$/, '.ts'), context);
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), { ...options, filename });
  return { format: 'module', source: code, shortCircuit: true };
}

if (isMainThread) register(import.meta.url);
