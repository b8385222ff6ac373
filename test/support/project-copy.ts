import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** What a build takes. */
export const builtFrom = [
  'src',
  'packages',
  'scripts',
  'ormconfig.ts',
  'package.json',
  'tsconfig.json',
  'nest-cli.json',
  '.swcrc',
];

export interface ProjectCopy {
  folder: string;
  clear: () => Promise<void>;
}

/** Parts of the project in a folder of its own, with its packages, where scripts may change them. */
export async function copyProject(...names: string[]): Promise<ProjectCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'store-project-'));
  for (const name of names) await cp(join(projectRoot, name), join(folder, name), { recursive: true });
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  return { folder, clear: () => rm(folder, { recursive: true, force: true }) };
}
