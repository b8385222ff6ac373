import { Client, type QueryConfig } from 'pg';
import { spreadTables } from '../../src/database/distribution/distribution.repository.js';

const tables = new RegExp(`\\b(${spreadTables.join('|')})\\b(?!\\.)(?:\\s+(?:AS\\s+)?([a-z]\\w*))?`, 'gi');
const written = /\b(?:INTO|COPY)\s+$/i;
const keyword = /^(?:cross|full|group|inner|join|left|limit|on|order|returning|set|union|using|where)$/i;
/** Statements about the tables themselves. */
const isOfSchema = /^\s*(?:ALTER|ANALYZE|CREATE|DROP|LOCK|SET|TRUNCATE|VACUUM)\b/i;
/** Housekeeping covers all organizations, and says so. */
const isOfAll = /-- of all organizations\b/;

/** The innermost pair of brackets around a position in SQL; the whole text if there is none. */
function bracketsAround(sql: string, place: number): string {
  let [start, end] = [place, place];
  for (let depth = 0; start > 0; start--) {
    const character = sql[start - 1];
    if (character === ')') depth += 1;
    if (character === '(' && depth-- === 0) break;
  }
  for (let depth = 0; end < sql.length; end++) {
    const character = sql[end];
    if (character === '(') depth += 1;
    if (character === ')' && depth-- === 0) break;
  }
  return sql.slice(start, end);
}

function isNamed(sql: string, place: number, [whole, table = '', word]: RegExpMatchArray): boolean {
  if (written.test(sql.slice(0, place)))
    return /^\s*(?:AS\s+\w+\s*)?\([^)]*\borganization_id\b/i.test(sql.slice(place + table.length));
  const alias = word !== undefined && !keyword.test(word) ? word : undefined;
  const condition = String.raw`organization_id\s*(?:=|IN\b)`;
  const name = alias === undefined ? `(?:\\w+\\.)?` : `${alias}\\.`;
  const around = bracketsAround(sql, place + whole.length);
  return new RegExp(`(?<![\\w.])${name}${condition}`, 'i').test(around);
}

/**
 * The tables that Citus may distribute over servers and that a statement refers to without the organization: such a
 * statement would go to all servers, or be refused.
 */
export function withoutOrganization(statement: string): string[] {
  if (isOfSchema.test(statement) || isOfAll.test(statement)) return [];
  const sql = statement
    .replace(/--[^\n]*/g, ' ')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replaceAll('"', '');
  return [...sql.matchAll(tables)].filter((match) => !isNamed(sql, match.index, match)).map(([, table = '']) => table);
}

const known = new Map<string, string[]>();
let isWatching = false;

/** Makes each later statement of the service in this process fail unless it names the organization. */
export function expectOrganizations(): void {
  if (isWatching) return;
  isWatching = true;
  const send = Reflect.get(Client.prototype, 'query') as (...parts: unknown[]) => unknown;
  Client.prototype.query = function (this: Client, ...parts: unknown[]): unknown {
    const [first] = parts as [string | QueryConfig | undefined];
    const text = typeof first === 'string' ? first : first?.text;
    if (typeof text === 'string' && isOfService(this)) check(text);
    return Reflect.apply(send, this, parts);
  } as typeof Client.prototype.query;
}

/** Migrations run before anything is distributed. */
function isOfService(client: Client): boolean {
  const { connectionParameters } = client as unknown as { connectionParameters?: { application_name?: string } };
  return /^store-service(?! migrations)/.test(connectionParameters?.application_name ?? '');
}

function check(text: string): void {
  let tablesWithout = known.get(text);
  if (!tablesWithout) {
    tablesWithout = withoutOrganization(text);
    if (known.size < 5_000) known.set(text, tablesWithout);
  }
  if (tablesWithout.length > 0) throw new Error(`Without the organization of ${tablesWithout.join(', ')}:\n${text}`);
}
