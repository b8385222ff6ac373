// Compiles src/ and ormconfig.ts into dist/, in a second: `npm run check` has the types checked, which takes twenty.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { swcOptions } from './swc-options.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const isSource = (name) => name.endsWith('.ts') && !name.endsWith('.d.ts');

async function compile(file) {
  const target = join(root, 'dist', file.replace(/\.ts$/, '.js'));
  const source = join(root, file);
  const sourceFileName = relative(dirname(target), source);
  const text = await readFile(source, 'utf8');
  const { code, map } = await transform(text, { ...swcOptions, filename: source, sourceFileName, sourceMaps: true });
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`);
  await writeFile(`${target}.map`, map);
}

const names = await readdir(join(root, 'src'), { recursive: true });
await Promise.all(['ormconfig.ts', ...names.filter(isSource).map((name) => join('src', name))].map(compile));
