import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../src/config/settings.js';

async function namesInExample(): Promise<string[]> {
  const example = await readFile(new URL('../../.env.example', import.meta.url), 'utf8');
  return [...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1] ?? '');
}

/** The names of the environment variables that the settings read. */
function namesRead(): string[] {
  const names = new Set<string>();
  const environment: Record<string, string | undefined> = new Proxy(
    {},
    {
      get: (_target, name) => {
        names.add(String(name));
        return undefined;
      },
    },
  );
  loadSettings(environment);
  return [...names];
}

describe('.env.example', () => {
  it('lists every setting, and nothing else', async () => {
    expect((await namesInExample()).sort()).toEqual(namesRead().sort());
  });

  it('lists each setting once', async () => {
    const names = await namesInExample();
    expect(names).toHaveLength(new Set(names).size);
  });
});

describe('docs/limits.md', () => {
  it('lists every quota with its limit', async () => {
    const document = await readFile(new URL('../../docs/limits.md', import.meta.url), 'utf8');
    const listed = [...document.matchAll(/^\| `([a-z-]+)` +\| +([\d,]+) \|/gm)].map(([, name, limit = '']) => [
      name,
      Number(limit.replaceAll(',', '')),
    ]);
    expect(listed).toEqual(Object.values(loadSettings({}).quotas).map(({ name, limit }) => [name, limit]));
  });
});
