import { describe, expect, it } from '@jest/globals';
import '../../src/app.module.js';
import { sealedColumns } from '../../src/platform/crypto/sealed-places.js';
import { projectFiles, projectText } from '../support/project-files.js';

/** Columns whose names tell of secrets, and that the key does not seal. */
const others: Record<string, string> = {
  'sessions.successor': 'sealed by the token before it',
};

const columns = [...projectText('src/database/schema.sql').matchAll(/^CREATE TABLE (\w+) \(\n([^]*?)^\)/gm)].flatMap(
  ([, table = '', body = '']) =>
    [...body.matchAll(/^ {2}(\w+) (text|bytea|uuid|integer|jsonb?|character varying)\b/gm)].map(
      ([, column = '', type = '']) => ({ name: `${table}.${column}`, type }),
    ),
);
const typeOf = (name: string) => columns.find((column) => column.name === name)?.type;

describe('Sealed columns', () => {
  it('are declared, where a name tells of a secret', () => {
    const telling = columns.filter(
      ({ name, type }) => /sealed|secret|encrypt|cipher|successor|\.private/.test(name) && type !== 'integer',
    );
    expect(telling.length).toBeGreaterThan(6);
    const declared = new Set(sealedColumns().map(({ table, column }) => `${table}.${column}`));
    const unknown = telling.map(({ name }) => name).filter((name) => !declared.has(name) && !(name in others));
    expect(unknown).toEqual([]);
  });

  it('exist as they are declared', () => {
    for (const { table, column, isBytes, key, spreadBy } of sealedColumns()) {
      expect([`${table}.${column}`, typeOf(`${table}.${column}`)]).toEqual([
        `${table}.${column}`,
        isBytes ? 'bytea' : 'text',
      ]);
      for (const [name, type] of Object.entries(key)) expect(typeOf(`${table}.${name}`)).toBe(type);
      if (spreadBy !== undefined) expect(typeOf(`${table}.${spreadBy}`)).toBe('uuid');
    }
  });

  it('give the only places that anything is sealed for', () => {
    const casts = projectFiles('src', /\.ts$/).filter((path) =>
      /\bas (?:unknown as )?SealedPlace\b/.test(projectText(path)),
    );
    expect(casts).toEqual(['src/platform/crypto/sealed-places.ts']);
  });
});
