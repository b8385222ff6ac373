import { readFile, writeFile } from 'node:fs/promises';
import { expect } from '@jest/globals';

/** Compares text with a committed file. `UPDATE_SNAPSHOTS=1 npm test -- <test>` writes the file anew. */
export async function expectFile(file: URL, text: string): Promise<void> {
  if (process.env['UPDATE_SNAPSHOTS'] === '1') await writeFile(file, text);
  const kept = await readFile(file, 'utf8').catch(() => '');
  expect(text).toBe(kept);
}
