import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
/** Files that nobody writes by hand. */
const foreign = /(^|\/)(node_modules|dist)\//;

/** The files under a path of the checkout (a folder or a file) whose names match, by their paths from the root. */
export function projectFiles(place: string, names: RegExp): string[] {
  const url = new URL(place, root);
  if (!existsSync(url)) return [];
  const files = statSync(url).isDirectory()
    ? readdirSync(url, { recursive: true, encoding: 'utf8' }).map((file) => `${place}/${file}`)
    : [place];
  return files.filter((file) => names.test(file) && !foreign.test(file)).sort();
}

/** The text of a file of the checkout. */
export function projectText(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}
