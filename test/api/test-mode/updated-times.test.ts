import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getMetadataArgsStorage, type ObjectType } from 'typeorm';
import { DatabaseAddress } from '../../../src/database/connections/database-address.js';
import { TestSchemaRepository } from '../../../src/test-mode/index.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const root = new URL('../../../', import.meta.url);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await new TestSchemaRepository(new DatabaseAddress(database.url, database.url, true)).make();
});
afterAll(() => database.drop());

/** The tables in which TypeORM writes when a row changed. */
async function tablesWithTime(): Promise<string[]> {
  const files = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' });
  const classes: ObjectType<object>[] = [];
  for (const file of files.filter((one) => one.endsWith('.entity.ts'))) {
    const module = (await import(`../../../src/${file}`)) as Record<string, ObjectType<object>>;
    classes.push(...Object.values(module).filter((one) => typeof one === 'function'));
  }
  const { columns, tables } = getMetadataArgsStorage();
  const changing = new Set(columns.filter(({ mode }) => mode === 'updateDate').map(({ target }) => target));
  return tables
    .filter(({ target }) => classes.includes(target as ObjectType<object>) && changing.has(target))
    .map(({ name }) => name ?? '');
}

describe('When a row changed', () => {
  it('goes by the clock of test mode in every table in which TypeORM writes it', async () => {
    const tables = await tablesWithTime();
    expect(tables.length).toBeGreaterThan(5);
    const touched = await database.rows<{ name: string }>(`
      SELECT relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE tgname = 'touch'`);
    expect(touched.map(({ name }) => name)).toEqual(expect.arrayContaining(tables));
  });

  it('is as far ahead as the clock, and stays what a statement writes itself', async () => {
    await database.rows(`UPDATE test_mode.clock SET shift = '365 days'`);
    const changed = (time: string) =>
      database.rows<{ ahead: number }>(`
        UPDATE shop_settings SET updated_at = ${time}
        RETURNING extract(epoch FROM updated_at - pg_catalog.now())::integer AS ahead`);
    await database.rows('INSERT INTO shop_settings DEFAULT VALUES ON CONFLICT DO NOTHING');
    expect(await changed('CURRENT_TIMESTAMP')).toEqual([{ ahead: 365 * 86_400 }]);
    expect(await changed(`CURRENT_TIMESTAMP - interval '1 day'`)).toEqual([{ ahead: -86_400 }]);
  });
});
