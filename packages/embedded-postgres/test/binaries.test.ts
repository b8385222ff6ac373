import { lstat, mkdir, mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { copyBinaries } from '../src/binaries.js';

let folder: string;
let source: { native: string; version: string };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binaries-'));
  const native = join(folder, 'package', 'native');
  await mkdir(join(native, 'bin'), { recursive: true });
  await mkdir(join(native, 'lib'));
  await writeFile(join(native, 'bin', 'postgres'), 'program', { mode: 0o600 });
  await writeFile(join(native, 'lib', 'libpq.so.5.18'), 'library', { mode: 0o600 });
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));
  source = { native, version: '18.0.0-test' };
});

afterEach(() => rm(folder, { recursive: true }));

describe('copyBinaries', () => {
  it('creates the links that an install script would have created', async () => {
    const copy = await copyBinaries(source, join(folder, 'copies'));
    expect(await readFile(join(copy, 'lib', 'libpq.so.5'), 'utf8')).toBe('library');
  });

  it('lets every user read the copy and run its programs', async () => {
    const copy = await copyBinaries(source, join(folder, 'copies'));
    const paths = [copy, join(copy, 'bin'), join(copy, 'bin', 'postgres'), join(copy, 'lib', 'libpq.so.5.18')];
    const modes = await Promise.all(paths.map(async (path) => (await lstat(path)).mode & 0o777));
    expect(modes).toEqual([0o755, 0o755, 0o755, 0o644]);
  });

  it('copies once', async () => {
    const copy = await copyBinaries(source, join(folder, 'copies'));
    const { ino } = await lstat(copy);
    expect(await copyBinaries(source, join(folder, 'copies'))).toBe(copy);
    expect((await lstat(copy)).ino).toBe(ino);
  });

  it('repairs a copy that a crash left with an empty file', async () => {
    const copy = await copyBinaries(source, join(folder, 'copies'));
    await truncate(join(copy, 'bin', 'postgres'), 0);
    await copyBinaries(source, join(folder, 'copies'));
    expect(await readFile(join(copy, 'bin', 'postgres'), 'utf8')).toBe('program');
  });

  it('leaves one whole copy and no remnants when several copy at once', async () => {
    const copies = await Promise.all(Array.from({ length: 5 }, () => copyBinaries(source, join(folder, 'copies'))));
    expect(new Set(copies).size).toBe(1);
    expect(await readdir(join(folder, 'copies'))).toEqual(['postgresql-18.0.0-test']);
    expect(await readFile(join(copies[0] ?? '', 'bin', 'postgres'), 'utf8')).toBe('program');
  });

  it('leaves the package unchanged', async () => {
    await copyBinaries(source, join(folder, 'copies'));
    expect(await readdir(join(source.native, 'lib'))).toEqual(['libpq.so.5.18']);
  });
});
