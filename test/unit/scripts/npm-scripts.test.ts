import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { builtFrom, copyProject, type ProjectCopy, projectRoot } from '../../support/project-copy.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

async function npm(args: string[], { cwd = projectRoot, env = {} } = {}): Promise<string> {
  const { NODE_OPTIONS: _options, ...inherited } = process.env;
  const options = { cwd, env: { ...inherited, ...env }, maxBuffer: 16 * 2 ** 20 };
  return (await promisify(execFile)('npm', ['run', '--silent', ...args], options)).stdout;
}

describe('npm test', () => {
  it.each([
    ['--changed', '"onlyChanged": true'],
    ['--changed=main', '"changedSince": "main"'],
  ])('understands %s', async (option, said) => {
    expect(await npm(['test', '--', option, '--showConfig'])).toContain(said);
  });

  it('runs the tests of the API as test:e2e', async () => {
    const files = (await npm(['test:e2e', '--', '--listTests'])).trim().split('\n');
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => !file.includes('/test/api/'))).toEqual([]);
  });

  it('measures test coverage as test:cov', async () => {
    expect(await npm(['test:cov', '--', '--showConfig'])).toContain('"collectCoverage": true');
  });
});

describe('npm run migration:generate', () => {
  let database: TestDatabase;
  let copy: ProjectCopy;
  beforeAll(async () => {
    database = await createTestDatabase();
    copy = await copyProject(...builtFrom, '.prettierrc.json');
    const entity = join(copy.folder, 'src/scanning/tags/tag.entity.ts');
    const text = await readFile(entity, 'utf8');
    const column = "  @Column('varchar', { length: 7, nullable: true })\n  icon: string | null;\n";
    await writeFile(entity, text.replace(/\}\s*$/, `\n${column}}\n`));
  });
  afterAll(async () => {
    await database.drop();
    await copy.clear();
  });

  it("writes an entity's changes and nothing else, without a name, and lists the migration", async () => {
    const before = new Set(await readdir(join(projectRoot, 'src/database/migrations')));
    const run = (script: string) => npm([script], { cwd: copy.folder, env: database.env });
    await run('migration:generate');

    const [file = '', ...others] = (await readdir(join(copy.folder, 'src/database/migrations'))).filter(
      (name) => !before.has(name),
    );
    expect(others).toEqual([]);
    const migration = await readFile(join(copy.folder, 'src/database/migrations', file), 'utf8');
    expect(migration.match(/(?<=query\(`)[^`]*/g)).toEqual([
      'ALTER TABLE "tags" ADD "icon" character varying(7)',
      'ALTER TABLE "tags" DROP COLUMN "icon"',
    ]);
    await run('migration:run');
    expect(await run('migration:show')).toMatch(/\[X\] \d+ Change\d+/);
    await run('migration:revert');
    expect(await run('migration:show')).toMatch(/\[ \] Change\d+/);
  });
});
