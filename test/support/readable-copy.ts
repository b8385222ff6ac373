import { chmod, cp, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transform } from '@swc/core';

const embedded = join('packages', 'embedded-postgres', 'src');
const child = join('test', 'support', 'embedded-server-child.ts');
const modules = 'node_modules';

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** The packages with all their dependencies, as far as they are installed. */
async function withDependencies(names: string[], found = new Set<string>()): Promise<Set<string>> {
  for (const name of names.filter((one) => !found.has(one))) {
    const text = await readFile(join(modules, name, 'package.json'), 'utf8').catch(() => null);
    if (text === null) continue;
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(text) as Manifest;
    await withDependencies(Object.keys({ ...dependencies, ...optionalDependencies }), found.add(name));
  }
  return found;
}

async function compile(file: string, folder: string): Promise<string> {
  const parser = { syntax: 'typescript' } as const;
  const { code } = await transform(await readFile(file, 'utf8'), { jsc: { target: 'es2023', parser } });
  const target = join(folder, file.replace(/\.ts$/, '.js'));
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, code);
  return target;
}

/**
 * Copies what `embedded-server-child.ts` needs into a folder that every user can read, since the checkout may lie in one
 * that only its owner can enter. Returns the folder, for the caller to remove, and the child in it.
 */
export async function copyReadably(): Promise<{ folder: string; child: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'readable-copy-'));
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  for (const name of await withDependencies(['pg', 'embedded-postgres'])) {
    await cp(join(modules, name), join(folder, modules, name), { recursive: true });
  }
  const sources = (await readdir(embedded)).filter((file) => file.endsWith('.ts'));
  for (const file of sources) await compile(join(embedded, file), folder);
  return { folder, child: await compile(child, folder) };
}
