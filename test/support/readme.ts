import { readFile } from 'node:fs/promises';

/** The shell blocks of a section of README, as printed. */
export async function shellBlocks(title: string): Promise<string[]> {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const text = readme.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
}
