import { readFileSync } from 'node:fs';
import type { TestApp } from '../support/test-app.js';

/** The one list of screens, read as text: it stands on what only a browser has. */
export const screens = [
  ...readFileSync('console/src/screens.ts', 'utf8').matchAll(/path: '(.+)',\s+title: '(.+)',\s+needs: '(.+)'/g),
].map(([, path = '', title = '', needs = '']) => ({ path, title, needs }));

/** Returns what puts into a screen's path the id of something that it shows. */
export async function addressesIn({ database }: TestApp): Promise<(path: string) => string> {
  const ids: Record<string, string> = {};
  for (const table of ['scans', 'assets', 'workflows']) {
    const [row] = await database.rows<{ id: string }>(`SELECT id FROM ${table} ORDER BY id LIMIT 1`);
    ids[table] = row?.id ?? '';
  }
  return (path) => path.replace(':id', ids[path.split('/')[1] ?? ''] ?? '');
}
