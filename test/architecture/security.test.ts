import { describe, expect, it } from '@jest/globals';
import '../../src/app.module.js';
import { sealedColumns } from '../../src/platform/crypto/sealed-places.js';
import { productWords } from '../../src/store/users/context-words.js';
import { projectFiles, projectText } from '../support/project-files.js';

const document = projectText('docs/security.md');
const [keys = '', afterKeys = ''] = document.split('## Personal data');
const [personal = '', afterPersonal = ''] = afterKeys.split('## Classes of data');
const [about = '', asvs = ''] = afterPersonal.split('## ASVS');

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

/** How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has (https://github.com/OWASP/ASVS), and which are none. */
const sections =
  '1.1:1,2 1.2:1,2,3,4,5,6,7,8,9 1.3:1,2,3,4,5,6,7,8,9,10,11 1.4:1,2,3 1.5:1,2 2.1:1,2,3 2.2:1,2,3 2.3:1,2,3,4 2.4:1 3.2:1,2 3.3:1,2,3,4 3.4:1,2,3,4,5,6 3.5:1,2,3,4,5 3.7:1,2 4.1:1,2,3 4.2:1 4.3:1,2 4.4:1,2,3,4 5.1:1 5.2:1,2,3 5.3:1,2 5.4:1,2,3 6.1:1,2,3 6.2:1,2,3,4,5,6,7,8,9,10,11,12 6.3:1,2,3,4 6.4:1,2,3,4 6.5:1,2,3,4,5 6.6:1,2,3 6.8:1,2,3,4 7.1:1,2,3 7.2:1,2,3,4 7.3:1,2 7.4:1,2,3,4,5 7.5:1,2 7.6:1,2 8.1:1,2 8.2:1,2,3 8.3:1 8.4:1 9.1:1,2,3 9.2:1,2,3,4 10.1:1,2 10.2:1,2 10.3:1,2,3,4 10.4:1,2,3,4,5,6,7,8,9,10,11 10.5:1,2,3,4,5 10.6:1,2 10.7:1,2,3 11.1:1,2 11.2:1,2,3 11.3:1,2,3 11.4:1,2,3,4 11.5:1 11.6:1 12.1:1,2,3 12.2:1,2 12.3:1,2,3,4 13.1:1 13.2:1,2,3,4,5 13.3:1,2 13.4:1,2,3,4,5 14.1:1,2 14.2:1,2,3,4 14.3:1,2,3 15.1:1,2,3 15.2:1,2,3 15.3:1,2,3,4,5,6,7 16.1:1 16.2:1,2,3,4,5 16.3:1,2,3,4 16.4:1,2,3 16.5:1,2,3 17.1:1 17.2:1,2,3,4 17.3:1,2';

/** Numbers of requirements in a line: `1.2.3`, or `1.2.3` to `1.2.5` of the standard's own order. */
const all = sections.split(' ').flatMap((entry) => {
  const [section = '', numbers = ''] = entry.split(':');
  return numbers.split(',').map((number) => `${section}.${number}`);
});
const requirements = asvs.split('\n').flatMap((line) => {
  const [, first, last, state, text = ''] =
    /^- `([\d.]+)`(?: to `([\d.]+)`)? (met|in part|by the operator|does not apply): (.+)$/.exec(line) ?? [];
  if (first === undefined) return [];
  const numbers = all.slice(all.indexOf(first), all.indexOf(last ?? first) + 1);
  return [{ numbers, state, text, tests: [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path) }];
});

describe('The table of ASVS', () => {
  it('has a line for each requirement of levels 1 and 2, in their order', () => {
    expect(all).toHaveLength(253);
    expect(requirements.flatMap(({ numbers }) => numbers)).toEqual(all);
  });

  it('names a test that there is for each that the service meets', () => {
    const files = projectFiles('test', /\.test\.ts$/);
    const isThere = (path: string) => files.some((file) => file === path || file.startsWith(`${path}/`));
    const without = requirements.filter(({ state, tests }) => state === 'met' && tests.length === 0);
    expect(without).toEqual([]);
    expect(requirements.flatMap(({ tests }) => tests).filter((path) => !isThere(path))).toEqual([]);
  });

  it('counts them', () => {
    const of = (wanted: string) =>
      requirements.filter(({ state }) => state === wanted).flatMap(({ numbers }) => numbers).length;
    const counts = `${of('met')} are met, ${of('by the operator')} by the operator, ${of('in part')} in part; ${of('does not apply')} do not apply`;
    expect(asvs).toContain(counts);
  });
});

describe('docs/security.md and SECURITY.md', () => {
  it('list the words that no password is made of', () => {
    for (const word of productWords) expect(about).toContain(`\`${word}\``);
  });

  it('have the parts that the table names, and say how soon faults are mended', () => {
    for (const [, part = ''] of asvs.matchAll(/"([A-Z][^"]+)", (?:below|above|here)/g)) {
      for (const title of part.split('" and "')) expect(document).toContain(`\n## ${title}\n`);
    }
    for (const severity of ['critical', 'high', 'medium', 'low']) {
      expect(projectText('SECURITY.md')).toMatch(new RegExp(`\\| ${severity} +\\| \\w`));
    }
  });
});
