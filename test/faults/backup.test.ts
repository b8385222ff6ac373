import { existsSync } from 'node:fs';
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startEmbeddedServer } from '@store-service/embedded-postgres';
import { makeBackup } from '../../src/cli/backup/backup.js';
import { restoreBackup } from '../../src/cli/backup/restore.js';
import type { EventArrivals } from '../../src/scanning/scan-events/scan-events.dto.js';
import { BackupScene, joinScanning, OrderingShopper, signInAgain } from '../support/backup-scene.js';
import { newEvent } from '../support/events.js';
import { until } from '../support/receiver.js';
import { query } from '../support/service-copies.js';
import type { ServiceProcess } from '../support/service-process.js';

const passphrase = { BACKUP_PASSPHRASE: 'correct horse battery' };

let scene: BackupScene;
let dataDir: string;
let service: ServiceProcess;
let shopper: OrderingShopper;
let scanner: Awaited<ReturnType<typeof joinScanning>>;
let file: string;
/** The orders that succeeded before the backup began. */
let before: number[];

beforeAll(async () => {
  scene = await BackupScene.open();
  dataDir = await scene.usedFolder('data');
  service = await scene.serve(dataDir);
  shopper = await OrderingShopper.join(service);
  scanner = await joinScanning(service);
});
afterAll(() => scene.close());

interface ForeignKey {
  name: string;
  child: string;
  parent: string;
  columns: string[];
  referenced: string[];
}

const namesOf = (relation: string, numbers: string) =>
  `ARRAY(SELECT attname::text FROM unnest(${numbers}) WITH ORDINALITY AS number(attnum, place)
          JOIN pg_attribute USING (attnum) WHERE attrelid = ${relation} ORDER BY place)`;
const foreignKeys = `
  SELECT conname AS name, conrelid::regclass::text AS child, confrelid::regclass::text AS parent,
         ${namesOf('conrelid', 'conkey')} AS columns, ${namesOf('confrelid', 'confkey')} AS referenced
    FROM pg_constraint WHERE contype = 'f'`;

/** Rows whose foreign key refers to nothing. */
function danglingOf({ child, parent, columns, referenced }: ForeignKey): string {
  const set = columns.map((column) => `child."${column}" IS NOT NULL`);
  const same = columns.map((column, place) => `parent."${referenced[place]}" = child."${column}"`);
  const found = `SELECT FROM ${parent} AS parent WHERE ${same.join(' AND ')}`;
  return `SELECT child.* FROM ${child} AS child WHERE ${set.join(' AND ')} AND NOT EXISTS (${found}) LIMIT 3`;
}

/** The draft files of a command in a folder. */
const drafts = async (folder: string, part: string) =>
  (await readdir(folder).catch(() => [])).filter((name) => name.includes(part));

const run = (folder: string, args: string[]) => scene.run(folder, args, passphrase).ended;

describe('npm run backup', () => {
  /** That of this try: the command writes over none. */
  let next: string;
  beforeEach(async () => {
    next = join(await scene.dataFolder('shelf'), 'one.backup');
  });

  it('leaves no backup when it is killed, nor when it is stopped, and says so', async () => {
    shopper.begin();
    const { child, ended } = scene.run(dataDir, ['--backup', next]);
    const isWriting = async () => {
      const [draft] = await drafts(dirname(next), '.partial-');
      const found = draft === undefined ? null : await stat(join(dirname(next), draft, 'backup')).catch(() => null);
      return (found?.size ?? 0) > 300_000;
    };
    await until(isWriting, 'a part of the backup');
    child.kill('SIGKILL');
    expect((await ended).code).toBeNull();
    expect(existsSync(next)).toBe(false);

    const stopped = scene.run(dataDir, ['--backup', next]);
    const isBegun = async () => {
      const [draft] = await drafts(dirname(next), `.partial-${stopped.child.pid}-`);
      return draft !== undefined && existsSync(join(dirname(next), draft, 'backup'));
    };
    await until(isBegun, 'its draft');
    stopped.child.kill('SIGTERM');
    expect(await stopped.ended).toEqual({
      code: 1,
      output: expect.stringContaining('Stopped before the end: nothing was changed'),
    });
    // What the killed one had written is gone, too.
    expect(await readdir(dirname(next))).toEqual([]);
  });

  it('writes one file, readable only by its owner, while orders are placed', async () => {
    file = next;
    shopper.begin();
    await until(() => shopper.answered.length > 5, 'orders');
    before = [...shopper.answered];
    const own = { ...passphrase, JWT_SECRET: 'j'.repeat(32), STORAGE_URL: 's3://KEY:SECRET@127.0.0.1:1/pictures' };
    const { code, output } = await scene.run(dataDir, ['--backup', file], own).ended;
    expect(output).toContain('Keep JWT_SECRET and ENCRYPTION_KEY as well');
    expect(output).toContain('The backup does not hold the pictures in the bucket of STORAGE_URL');
    expect([code, output]).toEqual([0, expect.stringMatching(/one\.backup: [\d.]+ MB in .* with 1 pictures/)]);
    const during = shopper.answered.length - before.length;
    await shopper.end();
    expect(during).toBeGreaterThan(0);
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect(await readdir(dirname(file))).toEqual(['one.backup']);
    expect((await readFile(file)).includes(shopper.username)).toBe(false);
  });

  it('is refused with a clear sentence when it is not possible', async () => {
    const nothing = await scene.dataFolder('nothing');
    const other = join(scene.folder, 'other.backup');
    const backup = (args: string[], env = {}, folder = dataDir) =>
      expect(makeBackup({ DATA_DIR: folder, ...env }, ['--backup', ...args])).rejects;
    await backup([file]).toThrow('the file exists already: name another file');
    await backup([join(scene.folder, 'no', 'where.backup')]).toThrow('its folder does not exist');
    await backup(['one', 'two']).toThrow('Name one file: npm run backup -- FILE');
    await backup([other], {}, nothing).toThrow('does not hold a database to back up');
    await backup([other], { BACKUP_PASSPHRASE: 'short' }).toThrow('it takes 12 to 1000 characters');
    await backup([other], { BACKUP_PASSPHRASE_FILE: '/nowhere' }).toThrow('/nowhere, cannot be read (ENOENT)');
    await backup([other], { ...passphrase, BACKUP_PASSPHRASE_FILE: '/nowhere' }).toThrow('are both set: remove one');
    expect(await readdir(nothing)).toEqual([]);
    expect(await drafts(scene.folder, 'partial')).toEqual([]);
  });
});

describe('npm run restore', () => {
  let target: string;
  let restored: ServiceProcess;

  it('is refused, and changes nothing, when the file, the passphrase or the folder does not fit', async () => {
    const [half, empty] = [join(scene.folder, 'half.backup'), await scene.dataFolder('empty')];
    await writeFile(half, await readFile(file));
    await truncate(half, (await stat(half)).size - 100_000);
    const there = await readdir(dataDir);
    const restore = (folder: string, args: string[], env = {}) =>
      expect(restoreBackup({ DATA_DIR: folder, ...passphrase, ...env }, ['--restore', ...args])).rejects;
    await restore(empty, [half]).toThrow('half.backup is damaged');
    await restore(empty, [file], { BACKUP_PASSPHRASE: 'another passphrase' }).toThrow(
      'was encrypted with another passphrase',
    );
    await restore(empty, [join(scene.folder, 'none.backup')]).toThrow('none.backup cannot be read (ENOENT)');
    await restore(empty, [file], { DATABASE_URL: 'postgres://store@127.0.0.1:1/store' }).toThrow('pg_restore');
    await restore(dataDir, [file]).toThrow('is running: stop the service first');
    await restore(dataDir, [file, '--replace']).toThrow('is running: stop the service first');
    expect(await readdir(empty)).toEqual([]);
    expect(await readdir(dataDir)).toEqual(there);
  });

  it('leaves the folder as it was when it is killed, and succeeds the next time', async () => {
    target = await scene.dataFolder('target');
    await writeFile(join(target, 'jwt-secret'), 'what was there before'.repeat(3));
    const { child, ended } = scene.run(target, ['--restore', file, '--replace'], passphrase);
    const isUnpacking = async () => (await drafts(target, 'postgres.new-')).length > 0;
    await until(isUnpacking, 'a part of the restore');
    child.kill('SIGKILL');
    expect((await ended).code).toBeNull();
    expect((await readdir(target)).filter((name) => !name.includes('.new-'))).toEqual(['jwt-secret']);
    const plain = restoreBackup({ DATA_DIR: target, ...passphrase }, ['--restore', file]);
    await expect(plain).rejects.toThrow('holds data already (jwt-secret)');
    expect(await run(target, ['--restore', file, '--replace'])).toMatchObject({ code: 0 });
    const [aside = ''] = await drafts(target, 'before-restore-');
    expect(await readFile(join(target, aside, 'jwt-secret'), 'utf8')).toContain('what was there before');
    expect(await drafts(target, '.new-')).toEqual([]);
  });

  it('brings back everything that succeeded before the backup: logins, orders, stock, pictures', async () => {
    restored = await scene.serve(target);
    const token = await signInAgain(restored, shopper);
    const headers = { authorization: `Bearer ${token}` };
    const read = async <T>(path: string) => (await (await fetch(restored.baseUrl + path, { headers })).json()) as T;
    const orders: number[] = [];
    for (let page = [0]; page.length > 0; orders.push(...page)) {
      page = (await read<{ id: number }[]>(`/api/v1/orders/?skip=${orders.length}`)).map(({ id }) => id);
    }
    expect(before.filter((id) => !orders.includes(id))).toEqual([]);
    const { stock } = await read<{ stock: number }>(`/api/v1/products/${shopper.productId}`);
    expect(stock).toBe(100_000 - orders.length);
    const picture = await fetch(restored.baseUrl + shopper.picture.url);
    expect((await picture.arrayBuffer()).byteLength).toBe(shopper.picture.size);
  });

  it('makes followers of events start anew if their cursor is later than the backup', async () => {
    const { headers, appendPath } = scanner;
    const arrivals = (at: ServiceProcess, rest = '') =>
      fetch(`${at.baseUrl}/api/v1/events/arrivals${rest}`, { headers });
    const cursor = async (at: ServiceProcess) => ((await (await arrivals(at)).json()) as EventArrivals).nextCursor;
    const append = (at: ServiceProcess) =>
      fetch(at.baseUrl + appendPath, { method: 'POST', headers, body: JSON.stringify([newEvent()]) });
    expect((await append(service)).status).toBe(201);
    const later = await cursor(service);
    expect((await arrivals(service, `?after=${later}`)).status).toBe(200);
    const refused = await arrivals(restored, `?after=${later}`);
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining('The database was restored since that response: begin without a cursor'),
    ]);
    const anew = await cursor(restored);
    expect((await append(restored)).status).toBe(201);
    const { data } = (await (await arrivals(restored, `?after=${anew}`)).json()) as EventArrivals;
    expect(data.length).toBe(1);
  });

  it('keeps every foreign key', async () => {
    const server = await startEmbeddedServer({ dataDir: target });
    try {
      const keys = await query<ForeignKey>(server.url, foreignKeys);
      expect(keys.length).toBeGreaterThan(30);
      for (const key of keys)
        expect({ ...key, rows: await query(server.url, danglingOf(key)) }).toEqual({ ...key, rows: [] });
    } finally {
      await server.stop();
    }
  });
});
