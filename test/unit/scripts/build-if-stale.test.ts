import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { projectRoot } from '../../support/project-copy.js';

const ours = ['build-if-stale', 'build', 'end-with-parent', 'node-version', 'start'].map(
  (name) => `scripts/${name}.mjs`,
);
const steps = ['compile-service', 'bundle-service', 'bundle-client', 'build-console'];
const sources = ['src/main.ts', 'console/index.html', 'sdk/src/index.ts', 'ormconfig.ts', 'tsconfig.json'];
const others = [...sources, 'package.json', 'scripts/swc-options.mjs', 'dist/service/main.js'];

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
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  for (const name of others) await write(name, name.endsWith('.json') ? '{}' : '');
  for (const name of ours) await write(name, await readFile(join(projectRoot, name), 'utf8'));
  for (const step of steps) {
    const code = `import { appendFileSync } from 'node:fs';\nappendFileSync('steps', '${step}\\n');\n`;
    await write(`scripts/${step}.mjs`, code);
  }
});
afterEach(() => rm(folder, { recursive: true }));

/** The scripts that a script imports or runs, and those of these. */
async function scriptsOf(script: string, known = new Set<string>()): Promise<Set<string>> {
  if (known.has(script)) return known;
  known.add(script);
  const text = await readFile(join(projectRoot, 'scripts', script), 'utf8');
  for (const [, other = ''] of text.matchAll(/'(?:\.\/)?([\w-]+\.mjs)'/g)) await scriptsOf(other, known);
  return known;
}

describe('npm start', () => {
  it('builds what is missing, then only what is older than its sources', async () => {
    expect(await stepsOf('start.mjs')).toEqual(steps);
    expect(await stepsOf('start.mjs')).toEqual([]);
    const later = new Date(Date.now() + 60_000);
    await utimes(join(folder, 'console/index.html'), later, later);
    expect(await stepsOf('start.mjs')).toEqual(['build-console']);
  });

  it('leaves the console alone for a command', async () => {
    expect(await stepsOf('start.mjs', '--backup')).toEqual(steps.slice(0, -1));
  });
});

describe('npm run build', () => {
  it('builds everything, which npm start then leaves as it is', async () => {
    expect(await stepsOf('build.mjs')).toEqual(steps);
    expect(await stepsOf('start.mjs')).toEqual([]);
    expect(await stepsOf('build.mjs')).toEqual(steps);
  });

  it('fails where a step fails, and leaves the build to the next start', async () => {
    await write('scripts/bundle-client.mjs', 'process.exit(3);');
    await expect(stepsOf('build.mjs')).rejects.toMatchObject({ code: 1 });
    await write('scripts/bundle-client.mjs', '');
    expect(await stepsOf('start.mjs')).toEqual(['compile-service', 'bundle-service', 'build-console']);
  });

  it('has every script that it takes in the image', async () => {
    const image = await readFile(join(projectRoot, 'Dockerfile'), 'utf8');
    const copied = new Set(Array.from(image.matchAll(/scripts\/([\w-]+\.mjs)/g), ([, script = '']) => script));
    const needed = await scriptsOf('build.mjs');
    expect([...needed]).toEqual(expect.arrayContaining(steps.map((step) => `${step}.mjs`)));
    expect([...needed].filter((script) => !copied.has(script))).toEqual([]);
  });
});
