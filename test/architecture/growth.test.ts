import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { EnvironmentReader } from '../../src/config/environment-reader.js';
import { readQuotas } from '../../src/config/quotas.js';
import { projectFiles, projectText } from '../support/project-files.js';

const schema = projectText('src/database/schema.sql');
const document = projectText('docs/data.md');
const example = projectText('.env.example');
const sources = projectFiles('src', /\.ts$/).map(projectText).join('\n');

const quotaNames = new Set(Object.values(readQuotas(new EnvironmentReader({}))).map(({ name }) => name));

const tables = [...schema.matchAll(/^CREATE TABLE (\w+) \(\n([^]*?)^\)/gm)].map(([, name = '', body = '']) => ({
  name,
  body,
}));
const lines = new Map(
  [...document.matchAll(/^- `(\w+)` – (.+)$/gm)].map(([, table = '', line = '']) => [table, line] as const),
);
const lineOf = (table: string): string => lines.get(table) ?? '';

const one = (pattern: RegExp, text: string): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);
const removers = (line: string): string[] => one(/\bby `(src\/[^`]+)`/g, line);
const owners = (line: string): string[] => one(/goes with `(\w+)`/g, line);

/** Whether a file deletes rows of a table: by SQL, through its entity, or by the month. */
function deletes(file: string, table: string): boolean {
  const text = projectText(file);
  if (new RegExp(`\\bDELETE FROM ${table}\\b`).test(text)) return true;
  if (text.includes(`{ name: '${table}'`)) return text.includes('.dropExpired(');
  const entity = new RegExp(`@Entity\\((?:\\{ name: )?'${table}'[^]*?export class (\\w+)`).exec(sources)?.[1];
  const repository = new RegExp(`(\\w+): Repository<${entity}>`).exec(text)?.[1];
  return repository !== undefined && text.includes(`.${repository}.delete(`);
}

/** Whether rows of a table go with those of another: by their foreign key, a trigger, or the statement of accounts. */
function goesWith(table: string, owner: string): boolean {
  const body = tables.find(({ name }) => name === table)?.body ?? '';
  if (new RegExp(`REFERENCES ${owner}\\(\\w+\\) ON DELETE CASCADE`).test(body)) return true;
  const triggers = new RegExp(`AFTER DELETE ON ${owner} .* EXECUTE FUNCTION (\\w+)\\(`, 'g');
  return one(triggers, schema).some((name) => {
    const code = schema.split(`FUNCTION ${name}()`)[1]?.split('$function$')[1] ?? '';
    return code.includes(`DELETE FROM ${table} `);
  });
}

describe('docs/data.md', () => {
  it('has a line for each table, and for no other', () => {
    expect(tables.length).toBeGreaterThan(50);
    expect([...lines.keys()].sort()).toEqual(tables.map(({ name }) => name).sort());
  });

  it.each(tables.map(({ name }) => name))('says what bounds %s', (table) => {
    const line = lineOf(table);
    const says = [/^kept: \w/, /\bat most /, /\bone (?:row|set) per /, /\bby `src\//, /\bgoes with `/];
    expect(says.some((word) => word.test(line))).toBe(true);
    expect(removers(line).filter((file) => !existsSync(file) || !deletes(file, table))).toEqual([]);
    expect(owners(line).filter((owner) => !goesWith(table, owner))).toEqual([]);
  });

  it('names settings, quotas and tasks that there are', () => {
    const settings = one(/`([A-Z][A-Z_]+)(?:=\d+)?`/g, document);
    expect(settings.length).toBeGreaterThan(8);
    expect(settings.filter((name) => !example.includes(`\n#${name}=`))).toEqual([]);
    const named = one(/\bthe quota `([^`]+)`/g, document);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !quotaNames.has(name))).toEqual([]);
    const tasks = one(/\btask `([^`]+)`/g, document);
    expect(tasks.length).toBeGreaterThan(8);
    expect(tasks.filter((name) => !sources.includes(`name: '${name}'`))).toEqual([]);
  });

  it('names each retention that is set', () => {
    for (const name of one(/^#(\w+_DAYS)=/gm, example)) expect(document).toContain(`| \`${name}\``);
  });
});
