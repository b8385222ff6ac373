import { describe, expect, it } from '@jest/globals';
import { projectFiles, projectText } from '../support/project-files.js';

/** Modules whose tables no TypeORM repository reads or writes, and why. */
const bySqlAlone: Record<string, string> = {
  'platform/audit': 'entries are added by the statement of the change, and read by pages of a cursor over partitions',
  'store/noted-requests':
    'requests are written and removed in sets, and read by pages of a cursor, with the names of accounts',
  'scanning/branches': 'branches are found or made by the hundred, and closed in sets, each by one statement',
  'platform/quotas': 'counting is one statement that adds unless that is too much',
};

function moduleOf(path: string): string {
  return path
    .split('/')
    .slice(1, /^src\/(store|scanning|platform)\//.test(path) ? 3 : 2)
    .join('/');
}

const modulesOf = (paths: string[]): Set<string> => new Set(paths.map(moduleOf));
const sources = projectFiles('src', /\.ts$/);
const withRows = modulesOf(sources.filter((path) => path.endsWith('.entity.ts')));
const withRepository = modulesOf(
  sources.filter((path) => path.endsWith('.repository.ts') && /: Repository<\w+>/.test(projectText(path))),
);

describe('A module with tables', () => {
  it('has a TypeORM repository, or a reason for having none', () => {
    const without = [...withRows].filter((name) => !withRepository.has(name));
    expect(without.sort()).toEqual(Object.keys(bySqlAlone).sort());
  });
});
