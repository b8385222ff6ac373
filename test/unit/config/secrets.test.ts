import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadSecrets } from '../../../src/config/secrets.js';
import { loadSettings } from '../../../src/config/settings.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'store-secrets-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

function load(environment: Record<string, string> = {}): ReturnType<typeof loadSecrets> {
  return loadSecrets(loadSettings({ DATA_DIR: join(dataDir, 'data'), ...environment }));
}

describe('loadSecrets', () => {
  it('uses the secrets that are set, and writes nothing', async () => {
    const secrets = load({ JWT_SECRET: 'j'.repeat(40), ENCRYPTION_KEY: 'ab'.repeat(32) });
    expect(secrets.jwtSecret).toBe('j'.repeat(40));
    expect(secrets.encryptionKey).toEqual(Buffer.alloc(32, 0xab));
    await expect(stat(join(dataDir, 'data'))).rejects.toThrow('ENOENT');
  });

  it('generates secrets once and keeps them', () => {
    const first = load();
    expect(first.jwtSecret).toMatch(/^[0-9a-f]{64}$/);
    expect(first.encryptionKey).toHaveLength(32);
    expect(first.encryptionKey.toString('hex')).not.toBe(first.jwtSecret);
    expect(load()).toEqual(first);
  });

  it('takes lists of keys, the present one first, from the settings and from the files', async () => {
    const [one, other] = ['ab'.repeat(32), 'cd'.repeat(32)];
    const given = load({ JWT_SECRET: `${'j'.repeat(40)}, ${'k'.repeat(40)}`, ENCRYPTION_KEY: `${one},${other}` });
    expect([given.jwtSecret, given.jwtSecrets]).toEqual(['j'.repeat(40), ['j'.repeat(40), 'k'.repeat(40)]]);
    expect(given.encryptionKeys).toEqual([Buffer.alloc(32, 0xab), Buffer.alloc(32, 0xcd)]);
    load();
    await writeFile(join(dataDir, 'data', 'encryption-key'), `${other},${one}\n`);
    expect(load().encryptionKeys).toEqual([Buffer.alloc(32, 0xcd), Buffer.alloc(32, 0xab)]);
  });

  it('hides them from other users of the machine', async () => {
    load();
    for (const name of ['jwt-secret', 'encryption-key']) {
      expect((await stat(join(dataDir, 'data', name))).mode & 0o077).toBe(0);
    }
  });

  it('leaves no drafts behind', async () => {
    load();
    const kept = await readFile(join(dataDir, 'data', 'jwt-secret'), 'utf8');
    expect(kept).toBe(load().jwtSecret);
    await expect(stat(join(dataDir, 'data', `jwt-secret.${process.pid}`))).rejects.toThrow('ENOENT');
  });

  it.each([
    ['jwt-secret', 'JWT_SECRET'],
    ['encryption-key', 'ENCRYPTION_KEY'],
  ])('says what to do when %s is damaged', async (name, variable) => {
    load();
    await writeFile(join(dataDir, 'data', name), 'cut off');
    expect(() => load()).toThrow(variable);
  });

  it('names DATA_DIR if nothing can be written', async () => {
    await writeFile(join(dataDir, 'data'), 'in the way');
    expect(() => load()).toThrow(/^The data folder .* cannot be used \(EEXIST\): set DATA_DIR/);
  });
});
