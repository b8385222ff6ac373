import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Column, DataSource, getMetadataArgsStorage, type ObjectType } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const root = new URL('../../', import.meta.url);

let database: TestDatabase;
let source: DataSource;
const entities: ObjectType<object>[] = [];

/** All entities on the migrated database, as the command line has them. */
function connected(): Promise<DataSource> {
  const options = dataSourceOptions({ url: database.url, poolSize: 1, statementTimeoutMs: 0 });
  return new DataSource({ ...options, entities }).initialize();
}

/** The statements that `migration:generate` would write. */
async function statementsToMigrate(of: DataSource): Promise<string[]> {
  const { upQueries } = await of.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}

beforeAll(async () => {
  database = await createTestDatabase();
  const files = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((one) => one.endsWith('.entity.ts'))) {
    const module = (await import(`../../src/${file}`)) as Record<string, ObjectType<object>>;
    entities.push(...Object.values(module).filter((one) => typeof one === 'function'));
  }
  source = await connected();
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

describe('The entities', () => {
  it('match the migrated schema: TypeORM finds nothing to change', async () => {
    expect(await statementsToMigrate(source)).toEqual([]);
  });

  it('cover every table', async () => {
    const tables = await database.rows<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND c.relname <> 'migrations' ORDER BY 1`,
    );
    const known = new Set(source.entityMetadatas.map(({ tableName }) => tableName));
    expect(tables.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  });

  it('give a migration of one statement for an added column', async () => {
    const tag = entities.find(({ name }) => name === 'TagEntity') as { prototype: object };
    const { columns } = getMetadataArgsStorage();
    const known = columns.length;
    Column('varchar', { length: 50, nullable: true })(tag.prototype, 'note');
    const changed = await connected();
    const statements = await statementsToMigrate(changed);
    await changed.destroy();
    // Later test files share the entities.
    columns.splice(known);
    expect(statements).toEqual(['ALTER TABLE "tags" ADD "note" character varying(50)']);
  });
});
