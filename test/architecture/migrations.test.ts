import { describe, expect, it } from '@jest/globals';
import { projectFiles, projectText } from '../support/project-files.js';

const files = projectFiles('src/database/migrations', /\/\d+-[^/]*\.ts$/);
const classes = files.map((path) => /export class (\w+)/.exec(projectText(path))?.[1]);

describe('The list of migrations', () => {
  const text = projectText('src/database/data-source-options.ts');

  it('imports each file, in their order', () => {
    const imported = [...text.matchAll(/from '\.(\/migrations\/.*)\.js'/g)].map(([, path]) => `src/database${path}.ts`);
    expect(imported).toEqual(files);
  });

  it('names each class, in their order', () => {
    const [, names = ''] = /const migrations = \[([^\]]*)\]/.exec(text) ?? [];
    expect(names.match(/\w+/g)).toEqual(classes);
  });
});
