import { describe, expect, it } from '@jest/globals';
import { projectFiles, projectText } from '../support/project-files.js';

describe('Lists that grow', () => {
  // To copy a list for each of its entries takes 20,000 of them 15 s of processor time: `groupBy` adds to it.
  it('are never copied within a map', () => {
    const copies = /\.set\([^;]*\[\.\.\.\(?[\w.]+\.get\(/;
    expect(projectFiles('src', /\.ts$/).filter((path) => copies.test(projectText(path)))).toEqual([]);
  });
});
