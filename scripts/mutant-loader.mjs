// Loads files of the project with faults in them, which stand nowhere but in this process. simulation/mutants.ts has the faults.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compiled } from './ts-loader.mjs';

/** By the address of a file, what is replaced in its text, and by what. */
let edits = {};

export function initialize(given) {
  edits = given;
}

export async function load(url, context, next) {
  if (!Object.hasOwn(edits, url)) return next(url, context);
  const filename = fileURLToPath(url);
  let text = await readFile(filename, 'utf8');
  for (const [before, after] of edits[url]) text = text.replace(before, () => after);
  return { format: 'module', source: await compiled(filename, text), shortCircuit: true };
}
