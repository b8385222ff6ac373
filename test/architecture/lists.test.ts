import { describe, expect, it } from '@jest/globals';
import { projectFiles, projectText } from '../support/project-files.js';

describe('Lists that grow', () => {
  // A list that is copied for each of its entries takes 15 s of processor time for 20,000 of them.
  it('are never copied within a map', () => {
    const copies = /\.set\([^;]*\[\.\.\.\(?[\w.]+\.get\(/;
    expect(projectFiles('src', /\.ts$/).filter((path) => copies.test(projectText(path)))).toEqual([]);
  });
});
