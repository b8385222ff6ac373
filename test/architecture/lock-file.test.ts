import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

interface LockedPackage {
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

/** Where npm would look for a dependency of a package, nearest first. */
function placesOf(path: string, dependency: string): string[] {
  const folders = path.split('/node_modules/');
  const nested = folders.map((_, depth) => `${folders.slice(0, depth + 1).join('/node_modules/')}/node_modules/`);
  return [...nested, 'node_modules/'].map((folder) => folder + dependency);
}

describe('package-lock.json', () => {
  // npm leaves out what the registry at hand lacks, and npm ci then fails everywhere.
  it('holds the builds for every platform', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((dependency) => !placesOf(path, dependency).some((place) => place in packages))
        .map((dependency) => `${path}: ${dependency}`),
    );
    expect(missing).toEqual([]);
  });
});
