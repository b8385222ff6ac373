import { createWriteStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tarEnd, type TarEntry, writeTarEntry } from '@store-service/embedded-postgres';
import { manifestEntry, platform } from '../../../../src/cli/backup/backup-contents.js';
import { passphraseOf } from '../../../../src/cli/backup/passphrase.js';
import { restoreBackup } from '../../../../src/cli/backup/restore.js';
import { sealed } from '../../../../src/cli/backup/sealed-file.js';
import { migrationNames } from '../../../../src/database/data-source-options.js';

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restore-'));
  await chmod(folder, 0o755); // for PostgreSQL's own user, when the tests run as root
  dataDir = join(folder, 'data');
  await mkdir(dataDir);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const manifest = { made: '2026-11-23T00:00:00.000Z', postgres: '18', platform, migrations: migrationNames() };

function fileEntry(name: string): TarEntry {
  return { name, isFolder: false, size: 4, body: Readable.from([Buffer.from('text')]) };
}

/** A whole backup with these entries. */
async function backupOf(...entries: TarEntry[]): Promise<string> {
  const file = join(folder, 'one.backup');
  const archive = async function* () {
    for (const entry of entries) yield* writeTarEntry(entry);
    yield tarEnd();
  };
  const seal = (bytes: AsyncIterable<Buffer>) => sealed(bytes, undefined);
  await pipeline(archive, createGzip(), seal, createWriteStream(file));
  return file;
}

async function refused(file: string): Promise<string> {
  const said = await restoreBackup({ DATA_DIR: dataDir }, ['--restore', file]).catch((error: Error) => error.message);
  expect(await readdir(dataDir)).toEqual([]);
  return String(said);
}

describe('A restore', () => {
  it('refuses a backup of a newer release, of another kind of machine or of another PostgreSQL', async () => {
    const newer = { ...manifest, migrations: [...migrationNames(), 'Later2000000000000'] };
    expect(await refused(await backupOf(manifestEntry(newer)))).toMatch(/newer release \(Later2000000000000\)/);
    const elsewhere = { ...manifest, platform: 'plan9-z80' };
    expect(await refused(await backupOf(manifestEntry(elsewhere)))).toMatch(/was made on plan9-z80, and this is/);
    const older = { ...manifest, postgres: '9' };
    expect(await refused(await backupOf(manifestEntry(older)))).toMatch(
      /data of PostgreSQL 9, .* release that made it/,
    );
  });

  it('refuses a backup without a manifest, or with an incomplete one', async () => {
    expect(await refused(await backupOf())).toMatch(/is empty/);
    expect(await refused(await backupOf(fileEntry('jwt-secret')))).toMatch(/holds "jwt-secret", which .* not know/);
    expect(await refused(await backupOf(fileEntry('manifest.json')))).toMatch(/holds "manifest.json", which/);
  });

  const outside = [
    '../jwt-secret',
    '/etc/passwd',
    'postgres/../../jwt-secret',
    'uploads/avatar/../../x',
    'uploads/.x/y',
    'mail/1',
  ];
  it.each(outside)('refuses an entry that no backup holds, and writes nothing: %s', async (name) => {
    expect(await refused(await backupOf(manifestEntry(manifest), fileEntry(name)))).toMatch(
      /which this release does not/,
    );
    expect((await readdir(folder)).sort()).toEqual(['data', 'one.backup']);
  });

  it('refuses a cluster without its password', async () => {
    const said = await refused(await backupOf(manifestEntry(manifest), fileEntry('postgres/PG_VERSION')));
    expect(said).toMatch(/no note of its password/);
  });

  it('refuses more than one file', async () => {
    await expect(restoreBackup({ DATA_DIR: dataDir }, ['--restore', 'a', 'b'])).rejects.toThrow('Name one file');
  });
});

describe('The passphrase', () => {
  it('comes from the settings, or from the file that they name', async () => {
    const file = join(folder, 'passphrase');
    await writeFile(file, 'correct horse battery\n');
    expect(await passphraseOf({ passphrase: undefined, passphraseFile: undefined })).toBeUndefined();
    expect(await passphraseOf({ passphrase: 'battery horse', passphraseFile: undefined })).toBe('battery horse');
    expect(await passphraseOf({ passphrase: undefined, passphraseFile: file })).toBe('correct horse battery');
    await writeFile(file, 'short\n');
    const short = passphraseOf({ passphrase: undefined, passphraseFile: file });
    await expect(short).rejects.toThrow('does not hold a passphrase of 12 to 1000 characters');
  });
});
