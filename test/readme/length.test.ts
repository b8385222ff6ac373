import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';

/** What fits on a terminal. */
const screen = 40;

let readme: string;
beforeAll(async () => {
  readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
});

const linesOf = (text: string) => text.trim().split('\n').length;

describe('README', () => {
  it('has fewer than 300 lines', () => {
    expect(linesOf(readme)).toBeLessThan(300);
  });

  it.each(['A shop client in ten minutes', 'A gate in one line'])('shows "%s" in less than a screen', (title) => {
    const [, section = ''] = readme.split(`## ${title}\n`);
    const [text = ''] = section.split('\n## ');
    expect(linesOf(text)).toBeGreaterThan(3);
    expect(linesOf(text)).toBeLessThan(screen);
  });
});
