import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Without the variables that `npm test` sets for its commands: npm would take this folder for the project. */
export const userEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

/** Packs the SDK and installs the tarball, as a user does, in a new project; returns the project's folder. */
export async function installSdk(folder: string): Promise<string> {
  await run('npm', ['pack', '-w', 'sdk', '--pack-destination', folder], { env: userEnv });
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  const project = join(folder, 'shop');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{"name": "shop", "private": true, "type": "module"}');
  const options = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')];
  await run('npm', ['install', ...options, join('..', tarball)], { cwd: project, env: userEnv });
  return project;
}
