import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes, Failure } from '../failure.js';
import { credentialsFile, ownFolder, type Place, usualContext, writeOwnFile } from './credentials-file.js';

/** A name is that of a file too. */
const nameForm = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** The name of a context as given by a user. */
export function readContextName(text: string): string {
  if (nameForm.test(text)) return text;
  const rule = 'a name has lower-case letters, digits, dots, hyphens and underscores, at most 63 in all';
  throw new Failure(`"${text}" is no name of a context: ${rule}`, exitCodes.usage);
}

function fileOfCurrent(place: Place): string | null {
  const folder = ownFolder(place);
  return folder === null ? null : join(folder, 'context');
}

/** The context that `store contexts use` chose. */
function keptContext(place: Place): string | undefined {
  const file = fileOfCurrent(place);
  if (file === null || !existsSync(file)) return undefined;
  const name = readFileSync(file, 'utf8').trim();
  return nameForm.test(name) ? name : undefined;
}

/** The context in use: the one that was named, else that of STORE_CONTEXT, else the one chosen by `store contexts use`. */
export function contextInUse(place: Place, named?: string): string {
  if (named !== undefined) return readContextName(named);
  const { STORE_CONTEXT = '' } = place.env;
  if (STORE_CONTEXT.trim()) return readContextName(STORE_CONTEXT.trim());
  return keptContext(place) ?? usualContext;
}

function isKept(place: Place, name: string): boolean {
  const file = credentialsFile(place, name);
  return file !== null && existsSync(file);
}

/** The names of the contexts that hold a key. */
export function contextNames(place: Place): string[] {
  const folder = ownFolder(place);
  if (folder === null) return [];
  const named = join(folder, 'contexts');
  const files = existsSync(named) ? readdirSync(named) : [];
  const names = files.flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []));
  const all = isKept(place, usualContext) ? [usualContext, ...names] : names;
  return all.filter((name) => nameForm.test(name)).sort();
}

export function noSuchContext(name: string): Failure {
  const login = name === usualContext ? 'store login' : `store login --name ${name}`;
  const advice = `\`store contexts list\` shows those there are, \`${login}\` makes this one`;
  return new Failure(`There is no context ${name}: ${advice}`, exitCodes.usage);
}

/** Chooses the context for commands that name none. */
export function useContext(place: Place, name: string): void {
  const file = fileOfCurrent(place);
  if (file === null || !isKept(place, name)) throw noSuchContext(name);
  if (name === usualContext) rmSync(file, { force: true });
  else writeOwnFile(file, `${name}\n`);
}

/** Forgets the key of a context; the one chosen by `use` is then the usual one again. Returns the deleted file. */
export function removeContext(place: Place, name: string): string {
  const file = credentialsFile(place, name);
  if (file === null || !isKept(place, name)) throw noSuchContext(name);
  rmSync(file);
  const current = fileOfCurrent(place);
  if (current !== null && keptContext(place) === name) rmSync(current, { force: true });
  return file;
}
