import { describe, expect, it } from '@jest/globals';
import { projectFiles, projectText } from '../support/project-files.js';

const mostLines = 1_500;

describe('src/database', () => {
  it(`has at most ${mostLines} lines without its migrations, which only become more`, () => {
    const files = projectFiles('src/database', /\.ts$/).filter((file) => !file.includes('/migrations/'));
    const lines = files.map((file) => projectText(file).split('\n').length - 1);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(mostLines);
  });
});
