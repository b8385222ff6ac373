import { describe, expect, it } from '@jest/globals';
import { projectFiles } from '../support/project-files.js';

/** Unit tests of more than one file, and why. */
const ofSeveral: Record<string, string> = {
  'test/unit/csv-cells.test.ts': 'the one rule by which service, console and client write CSV',
  'test/unit/scripts/nest-build.test.ts': 'nest-cli.json, by which nest builds and starts the service',
  'test/unit/scripts/npm-scripts.test.ts': 'the commands of package.json, each of which runs several scripts',
  'test/unit/scripts/start-dev.test.ts': 'npm run start:dev, which is nest start --watch',
};

const sources = new Set([
  ...projectFiles('src', /\.ts$/),
  ...projectFiles('scripts', /\.(?:mjs|ts)$/),
  ...projectFiles('bench', /\.ts$/),
]);

/** The paths that a unit test may cover: `store/cart/cart-rules.many.test.ts` covers `src/store/cart/cart-rules.ts`. */
function subjectsOf(test: string): string[] {
  const path = test.slice('test/unit/'.length, -'.test.ts'.length);
  const bare = path.replace(/\.[a-z-]+$/, '');
  return [path, bare].flatMap((name) => [`src/${name}.ts`, `${name}.ts`, `${name}.mjs`]);
}

describe('A unit test', () => {
  it('mirrors the path and name of the file that it covers, listed exceptions aside', () => {
    const others = projectFiles('test/unit', /\.test\.ts$/).filter(
      (test) => !subjectsOf(test).some((path) => sources.has(path)),
    );
    expect(others).toEqual(Object.keys(ofSeveral));
  });
});
