import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

interface LockedPackage {
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

/** The paths where npm looks for a dependency of a package, nearest first. */
function placesOf(path: string, dependency: string): string[] {
  const folders = path.split('/node_modules/');
  const nested = folders.map((_, depth) => `${folders.slice(0, depth + 1).join('/node_modules/')}/node_modules/`);
  return [...nested, 'node_modules/'].map((folder) => folder + dependency);
}

describe('package-lock.json', () => {
  // npm leaves out what the configured registry lacks, and npm ci then fails everywhere.
  it('holds the builds for every platform', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((dependency) => !placesOf(path, dependency).some((place) => place in packages))
        .map((dependency) => `${path}: ${dependency}`),
    );
    expect(missing).toEqual([]);
  });

  // `npm run lock:hashes` adds these hashes if a registry has them.
  it('holds the hash of every package, except developer tools for other platforms', () => {
    const unheld = Object.entries(packages).filter(
      ([path, { integrity, link }]) => path.includes('node_modules/') && integrity === undefined && !link,
    );
    const needed = unheld.filter(([path, { dev, optional }]) => !dev || !optional || existsSync(path));
    expect(needed.map(([path]) => path)).toEqual([]);
    expect(unheld.length).toBeLessThanOrEqual(69);
  });
});
