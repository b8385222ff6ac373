import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { projectRoot } from '../../support/project-copy.js';

const ours = ['build-if-stale', 'build', 'end-with-parent', 'node-version', 'prepare', 'start'].map(
  (name) => `scripts/${name}.mjs`,
);
const nest = 'node_modules/@nestjs/cli/bin/nest.js';
/** Each step, and the folder that it makes. */
const made = {
  'packages/console/build.mjs': 'packages/console/dist',
  'packages/storefront/build.mjs': 'packages/storefront/build',
  [nest]: 'dist',
  'packages/client/build.mjs': 'packages/client/dist',
};
const steps = Object.keys(made);
const sources = [
  'src/main.ts',
  'packages/console/index.html',
  'packages/client/src/main.ts',
  'ormconfig.ts',
  'tsconfig.json',
];
const tools = ['@nestjs/cli/package.json', '@sveltejs/kit/package.json', '@swc/core/index.js', 'vite/index.js'].map(
  (name) => `node_modules/${name}`,
);
const others = [...sources, ...tools, 'package.json', 'nest-cli.json', '.swcrc', 'dist/src/main.js'];

let folder: string;

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}

/** The steps that a script takes, in their order. */
async function stepsOf(script: string, ...args: string[]): Promise<string[]> {
  await write('steps', '');
  await promisify(execFile)(process.execPath, [join(folder, 'scripts', script), ...args]);
  return (await readFile(join(folder, 'steps'), 'utf8')).trim().split('\n').filter(Boolean);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-build-'));
  for (const name of others) await write(name, name.endsWith('.json') ? '{}' : '');
  for (const name of ours) await write(name, await readFile(join(projectRoot, name), 'utf8'));
  for (const [step, folderOfStep] of Object.entries(made)) {
    const imports = `import { appendFileSync, mkdirSync } from 'node:fs';\n`;
    const makes = `mkdirSync('${folderOfStep}', { recursive: true });\nappendFileSync('steps', '${step}\\n');\n`;
    await write(step, imports + makes);
  }
  await write('node_modules/@nestjs/cli/package.json', '{ "type": "module" }');
});
afterEach(() => rm(folder, { recursive: true }));

describe('npm start', () => {
  it('builds what is missing, then only what is older than its sources', async () => {
    expect(await stepsOf('start.mjs')).toEqual(steps);
    expect(await stepsOf('start.mjs')).toEqual([]);
    const later = new Date(Date.now() + 60_000);
    await utimes(join(folder, 'packages/client/src/main.ts'), later, later);
    expect(await stepsOf('start.mjs')).toEqual(steps.slice(3));
  });
});

describe('npm ci', () => {
  it('ends with the console and the shop front built, for nest build to take along', async () => {
    expect(await stepsOf('prepare.mjs')).toEqual(steps.slice(0, 2));
    expect(await stepsOf('start.mjs')).toEqual(steps.slice(2));
  });

  it('builds nothing without the tools', async () => {
    await rm(join(folder, 'node_modules/vite'), { recursive: true });
    expect(await stepsOf('prepare.mjs')).toEqual([]);
  });
});

describe('npm run build', () => {
  it('builds everything, which npm start then leaves as it is', async () => {
    expect(await stepsOf('build.mjs')).toEqual(steps);
    expect(await stepsOf('start.mjs')).toEqual([]);
    expect(await stepsOf('build.mjs')).toEqual(steps);
  });

  it('fails where a step fails, and leaves the build to the next start', async () => {
    const build = await readFile(join(folder, nest), 'utf8');
    await write(nest, 'process.exit(3);');
    await expect(stepsOf('build.mjs')).rejects.toMatchObject({ code: 1 });
    await write(nest, build);
    expect(await stepsOf('start.mjs')).toEqual(steps.slice(2));
  });
});
