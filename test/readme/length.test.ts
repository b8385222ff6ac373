import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';

describe('README', () => {
  it('is one page: at most 150 lines', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    expect(readme.trim().split('\n').length).toBeLessThanOrEqual(150);
  });
});
