import { describe, expect, it } from '@jest/globals';
import '../../src/app.module.js';
import { sealedColumns } from '../../src/platform/crypto/sealed-places.js';
import { projectText } from '../support/project-files.js';

const document = projectText('docs/security.md');
const [keys = '', personal = ''] = document.split('## Personal data');

const tables = new Map(
  [...projectText('src/database/schema.sql').matchAll(/^CREATE TABLE (\w+) \(\n([^]*?)^\)/gm)].map(
    ([, name = '', body = '']) =>
      [name, [...body.matchAll(/^ {2}([a-z]\w*) /gm)].map(([, column = '']) => column)] as const,
  ),
);

/** Names of columns that hold data about persons. */
const telling =
  /(?:^|_)(?:e_?mail|phone|address|zip|zip_code|city|country|username|first_name|last_name|guest_name|actor_name|device|customer|bio|comment|birth\w*|ip)$/;
/** Columns with such names that are about no person. */
const others: Record<string, string> = {
  'locations.ip': 'where a scanned program listens',
};

const lines = new Map(
  [...personal.matchAll(/^- ((?:`\w+`(?:, )?)+) – (.+)$/gm)].flatMap(([, names = '', line = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, line] as const),
  ),
);

describe('docs/security.md', () => {
  it('names each column that holds data about persons', () => {
    const found = [...tables].flatMap(([table, columns]) =>
      columns.filter((column) => telling.test(column)).map((column) => ({ table, column })),
    );
    expect(found.length).toBeGreaterThan(20);
    const missing = found
      .map(({ table, column }) => [`${table}.${column}`, lines.get(table)?.includes(`\`${column}\``)] as const)
      .filter(([name, isNamed]) => !isNamed && !(name in others));
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it('names tables, columns and settings that there are, and says how long', () => {
    const example = projectText('.env.example');
    for (const [table, line] of lines) {
      const named = [...line.matchAll(/`([a-z]\w*)`/g)].map(([, column = '']) => column);
      const unknown = named.filter((column) => !tables.get(table)?.includes(column));
      expect([table, unknown, /: ?.*\w|see above/.test(line)]).toEqual([table, [], true]);
    }
    const settings = [...document.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name);
    expect(settings.filter((name) => !example.includes(`\n#${name}=`))).toEqual([]);
  });

  it('lists each encrypted column', () => {
    for (const { table, column } of sealedColumns()) {
      const place = `${table}.${column}`;
      expect([place, keys.includes(place) || keys.includes(`\`${table}.url_sealed\`, \`.${column}\``)]).toEqual([
        place,
        true,
      ]);
    }
  });
});
