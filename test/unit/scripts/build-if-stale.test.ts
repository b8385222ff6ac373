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
const steps = ['packages/console/build.mjs', nest, 'packages/client/build.mjs'];
const sources = [
  'src/main.ts',
  'packages/console/index.html',
  'packages/client/src/main.ts',
  'ormconfig.ts',
  'tsconfig.json',
];
const tools = ['@nestjs/cli/package.json', '@swc/core/index.js', 'vite/index.js'].map((name) => `node_modules/${name}`);
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
  for (const step of steps) {
    const parts = step
      .split('/')
      .slice(0, -1)
      .map((name) => `'${name}'`);
    const made = `mkdirSync(join(${parts.join(', ')}, 'dist'), { recursive: true });`;
    const imports = `import { appendFileSync, mkdirSync } from 'node:fs';\nimport { join } from 'node:path';\n`;
    await write(step, `${imports}${step === nest ? '' : made}\nappendFileSync('steps', '${step}\\n');\n`);
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
    expect(await stepsOf('start.mjs')).toEqual(steps.slice(2));
  });
});

describe('npm ci', () => {
  it('ends with the console built, for nest build to take along', async () => {
    expect(await stepsOf('prepare.mjs')).toEqual(steps.slice(0, 1));
    expect(await stepsOf('start.mjs')).toEqual(steps.slice(1));
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
    expect(await stepsOf('start.mjs')).toEqual(steps.slice(1));
  });
});
