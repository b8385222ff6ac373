import { execFile } from 'node:child_process';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from './receiver.js';

const run = promisify(execFile);

/** Without the variables that `npm test` sets for its commands: npm would take this folder for the project. */
export const userEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

/** The tarball: the first that needs it packs it for all of the run, since packing removes what is built and builds it anew. */
async function packed(folder: string): Promise<string> {
  const shared = join(process.env['TEST_FOLDER'] ?? folder, 'sdk');
  const isFirst = await mkdir(shared).then(
    () => true,
    () => false,
  );
  const draft = join(shared, 'draft');
  if (isFirst) {
    await mkdir(draft);
    await run('npm', ['pack', '-w', 'packages/sdk', '--pack-destination', draft], { env: userEnv });
    await rename(draft, join(shared, 'packed'));
  }
  let tarballs: string[] = [];
  await until(async () => (tarballs = await readdir(join(shared, 'packed')).catch(() => [])).length > 0, 'the package');
  return join(shared, 'packed', tarballs[0] ?? '');
}

/** Packs the SDK and installs the tarball, as a user does, in a new project; returns the project's folder. */
export async function installSdk(folder: string): Promise<string> {
  const project = join(folder, 'shop');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{"name": "shop", "private": true, "type": "module"}');
  const options = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')];
  await run('npm', ['install', ...options, await packed(folder)], { cwd: project, env: userEnv });
  return project;
}
