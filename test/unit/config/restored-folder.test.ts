import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { commitRestore, finishRestore } from '../../../src/config/restored-folder.js';

let folder: string;

function write(name: string, text: string): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
}
const read = (...names: string[]) => readFileSync(join(folder, ...names), 'utf8');
const aside = () => readdirSync(folder).find((name) => name.startsWith('before-restore-')) ?? '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'restored-folder-'));
  write('jwt-secret', 'old');
  write('postgres/PG_VERSION', 'old');
  write('mail/1', 'not part of a backup');
  write('draft/new/jwt-secret', 'new');
  write('draft/new/postgres-place.json', 'new');
  write('draft/new/uploads/avatar/a.png', 'new');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function assertRestored(): void {
  expect(read('jwt-secret') + read('postgres-place.json') + read('uploads', 'avatar', 'a.png')).toBe('newnewnew');
  expect(existsSync(join(folder, 'postgres'))).toBe(false);
  expect(read('mail', '1')).toBe('not part of a backup');
  expect(read(aside(), 'jwt-secret') + read(aside(), 'postgres', 'PG_VERSION')).toBe('oldold');
  expect(readdirSync(folder).filter((name) => name.startsWith('restore.'))).toEqual([]);
}

describe('A restore that was committed', () => {
  it('replaces what was there and sets that aside, once', () => {
    commitRestore(folder, join(folder, 'draft'));
    expect(finishRestore(folder)).toBe(join(folder, aside()));
    assertRestored();
    expect(finishRestore(folder)).toBeUndefined();
    assertRestored();
  });

  it('sets nothing aside if nothing was there', () => {
    for (const name of ['jwt-secret', 'postgres']) rmSync(join(folder, name), { recursive: true });
    commitRestore(folder, join(folder, 'draft'));
    expect(finishRestore(folder)).toBeUndefined();
    expect([aside(), read('jwt-secret')]).toEqual(['', 'new']);
  });

  // Each a folder as left by a process killed at that point.
  const stops: Record<string, () => void> = {
    'after the first of the old was moved': () => {
      mkdirSync(join(folder, 'restore.ready/before'), { recursive: true });
      rename('postgres', 'restore.ready/before/postgres');
    },
    'between the old and the new': () => {
      moveOldAside();
      rename('restore.ready', 'restore.placing');
    },
    'after the first of the new was moved': () => {
      moveOldAside();
      rename('restore.ready', 'restore.placing');
      rename('restore.placing/new/jwt-secret', 'jwt-secret');
    },
  };
  it.each(Object.keys(stops))('is finished by the next process after a kill %s', (stop) => {
    commitRestore(folder, join(folder, 'draft'));
    stops[stop]?.();
    finishRestore(folder);
    assertRestored();
  });

  it('says why if it cannot be finished', () => {
    commitRestore(folder, join(folder, 'draft'));
    write('restore.placing/in-the-way', '');
    expect(() => finishRestore(folder)).toThrow(
      /^A restore into .* cannot be finished .*correct the cause and start again$/,
    );
  });
});

describe('A folder without one', () => {
  it('is left as it is', () => {
    expect(finishRestore(folder)).toBeUndefined();
    expect(read('jwt-secret')).toBe('old');
  });
});

function rename(from: string, to: string): void {
  renameSync(join(folder, from), join(folder, to));
}

function moveOldAside(): void {
  rename('jwt-secret', 'restore.ready/before/jwt-secret');
  rename('postgres', 'restore.ready/before/postgres');
}
