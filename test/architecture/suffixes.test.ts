import { describe, expect, it } from '@jest/globals';
import { projectFiles, projectText } from '../support/project-files.js';

const suffixes = 'repository|service|controller|module|guard|pipe|filter';
const named = new RegExp(String.raw`([\w-]+)\.(${suffixes})\.ts$`);
const claims = /(Repository|Service|Controller|Module|Guard|Pipe|Entity)$/;

/** Ordinary words that only look like a suffix. */
const vocabulary = new Set(['AssetService', 'AssetRepository']);

function pascal(words: string): string {
  return words.replace(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

function faultIn(path: string): string | null {
  const classes = [...projectText(path).matchAll(/^export (?:abstract )?class (\w+)/gm)].map(([, name = '']) => name);
  const [, words = '', suffix = ''] = named.exec(path) ?? [];
  const due = pascal(`${words}-${suffix}`);
  if (suffix) return classes.includes(due) ? null : `${path} has no class ${due}`;
  if (path.endsWith('.entity.ts'))
    return classes.every((name) => name.endsWith('Entity')) ? null : `${path}: ${classes.join(', ')}`;
  const stray = classes.find((name) => claims.test(name) && !vocabulary.has(name));
  return stray ? `${path} holds ${stray}` : null;
}

describe("A file's suffix", () => {
  it('names its class, and no other file has a class of that kind', () => {
    expect(projectFiles('src', /\.ts$/).flatMap((path) => faultIn(path) ?? [])).toEqual([]);
  });
});
