import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { leftBehind, overdue } from '../support/left-behind.js';
import { projectFiles, projectText } from '../support/project-files.js';

const { version } = JSON.parse(projectText('package.json')) as { version: string };
const migrations = projectFiles('src/database/migrations', /\/\d+-[\w-]+\.ts$/).map((file) => ({
  timestamp: parseInt(basename(file), 10),
  text: projectText(file),
}));

describe('What a release keeps for nodes of the previous one', () => {
  it('is dropped by the next release', () => {
    expect(overdue(leftBehind, version, migrations)).toEqual([]);
  });

  it('is overdue when the version has changed and no later migration drops it', () => {
    const drop = 'DROP INDEX old_idx';
    const left = [{ since: '1.0.0', migration: 2, drop, why: 'they read by it' }];
    const that = (timestamp: number) => [{ timestamp, text: `await runner.query('${drop}')` }];
    expect(overdue(left, '1.1.0', that(2))).toEqual([drop]);
    expect(overdue(left, '1.1.0', that(3))).toEqual([]);
    expect(overdue(left, '1.0.0', that(2))).toEqual([]);
  });
});
