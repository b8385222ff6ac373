import { readFile } from 'node:fs/promises';

/** The shell blocks of a section of a document, as printed. */
export async function shellBlocks(document: string, title: string): Promise<string[]> {
  const written = await readFile(new URL(`../../${document}`, import.meta.url), 'utf8');
  const text = written.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
}
