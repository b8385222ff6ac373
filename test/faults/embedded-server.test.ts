import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startEmbeddedServer } from '@store-service/embedded-postgres';
import {
  canQuery,
  crashBackend,
  eventually,
  gone,
  postmasterPid,
  processesNaming,
  query,
  runs,
  sceneOfEachTest,
  sceneToCopy,
} from '../support/service-copies.js';

const scene = sceneOfEachTest();
const made = sceneToCopy();

function isUp(cluster: string): boolean {
  const file = join(cluster, 'postmaster.pid');
  return existsSync(file) && readFileSync(file, 'utf8').includes('ready');
}

describe('the first start of the embedded server', () => {
  it('makes a database that the service owns without being a superuser', async () => {
    const ready = await scene.start().ready;
    const [row] = await query<{ owner: boolean; superuser: boolean; database: string }>(
      ready.url,
      `SELECT current_database() AS database, rolsuper AS superuser,
              pg_has_role(datdba, 'MEMBER') AS owner
         FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`,
    );
    expect(ready).toMatchObject({ adopted: false, firstStart: true });
    expect(row).toEqual({ database: 'store', superuser: false, owner: true });
  });

  it('makes a database with Unicode letters, in UTC', async () => {
    const { url } = await scene.start().ready;
    const rows = await query(
      url,
      `SELECT lower('ÄΩ') AS lower, 'GRÖSSE' ILIKE '%öss%' AS found, current_setting('TimeZone') AS zone,
              current_setting('server_encoding') AS encoding`,
    );
    expect(rows).toEqual([{ lower: 'äω', found: true, zone: 'UTC', encoding: 'UTF8' }]);
  });

  it('listens only on 127.0.0.1 and asks for the password', async () => {
    const { url } = await scene.start().ready;
    const [, , , , socketFolder, address] = (await readFile(join(scene.cluster, 'postmaster.pid'), 'utf8')).split('\n');
    const wrong = new URL(url);
    wrong.password = 'guess';
    expect({ socketFolder, address }).toEqual({ socketFolder: '', address: '127.0.0.1' });
    await expect(query(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('hides the password and the data from other users', async () => {
    await scene.start().ready;
    const modes = await Promise.all(
      [scene.cluster, join(scene.cluster, 'store-service.json')].map((path) => stat(path)),
    );
    expect(modes.map(({ mode }) => mode & 0o077)).toEqual([0, 0]);
  });

  it('names the folder that cannot be written', async () => {
    await writeFile(scene.dataDir, 'a file in the way');
    await expect(scene.start().ready).rejects.toThrow(/data folder .*data cannot be written.*DATA_DIR.*DATABASE_URL/);
  });
});

describe('stopping a first start', () => {
  it('ends what is under way and leaves no process behind', async () => {
    const start = new AbortController();
    const server = startEmbeddedServer({
      dataDir: scene.dataDir,
      settings: { fsync: 'off' },
      signal: start.signal,
      log: (line) => {
        if (line.includes('data lie in')) setTimeout(() => start.abort(), 15);
      },
    });
    await expect(server).rejects.toMatchObject({ name: 'AbortError' });
    // The postmaster's last child may outlive it by a moment.
    await eventually(async () => (await processesNaming(scene.folder)).length === 0);
  });

  it('ends the server, too, if that has just come up', async () => {
    await scene.copyOf(made);
    const { signal } = new AbortController();
    // Whoever asks once the server is up learns that the start was stopped.
    const stopped = Object.assign(signal, {
      throwIfAborted: () => {
        if (isUp(scene.cluster)) throw new DOMException('stopped', 'AbortError');
      },
    });
    const server = startEmbeddedServer({ dataDir: scene.dataDir, settings: { fsync: 'off' }, signal: stopped });
    await expect(server).rejects.toMatchObject({ name: 'AbortError' });
    await eventually(async () => (await processesNaming(scene.folder)).length === 0);
  });
});

describe('stopping the embedded server', () => {
  beforeEach(() => scene.copyOf(made));

  it('can be requested twice', async () => {
    const server = await startEmbeddedServer({ dataDir: scene.dataDir, settings: { fsync: 'off' } });
    const pid = await postmasterPid(scene.cluster);
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    await gone(pid);
  });

  it('ends the server even if the data folder was deleted under it', async () => {
    const server = await startEmbeddedServer({ dataDir: scene.dataDir, settings: { fsync: 'off' } });
    const pid = await postmasterPid(scene.cluster);
    // PostgreSQL may write a file into it meanwhile.
    await rm(scene.dataDir, { recursive: true, force: true, maxRetries: 20 });
    await server.stop();
    await gone(pid);
  });

  it('leaves no process behind', async () => {
    const copy = scene.start();
    await copy.ready;
    const pid = await postmasterPid(scene.cluster);
    await copy.stop();
    await gone(pid);
    // The postmaster's last child may outlive it by a moment.
    await eventually(async () => (await processesNaming(scene.folder)).length === 0);
  });

  it('keeps the data for the second start, which initializes nothing again', async () => {
    const first = scene.start();
    await query((await first.ready).url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const second = await scene.start().ready;
    expect(second).toMatchObject({ adopted: false, firstStart: false });
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('ends the server even while it restarts after a crash', async () => {
    const copy = scene.start();
    const { url } = await copy.ready;
    const pid = await postmasterPid(scene.cluster);
    await crashBackend(url);
    await copy.stop();
    await gone(pid);
  });
});

describe('a start on the data of an earlier one', () => {
  beforeEach(() => scene.copyOf(made));

  it('adopts the server that a killed copy left, and ends it when it stops', async () => {
    const killed = scene.start();
    const before = await killed.ready;
    const pid = await postmasterPid(scene.cluster);
    await killed.kill();
    expect(await runs(pid)).toBe(true);
    const heir = scene.start();
    expect(await heir.ready).toEqual({ url: before.url, adopted: true, firstStart: false });
    await heir.stop();
    await gone(pid);
  });

  it('restarts the server if that was killed too', async () => {
    const killed = scene.start();
    await query((await killed.ready).url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const pid = await postmasterPid(scene.cluster);
    await killed.kill();
    process.kill(pid, 'SIGKILL');
    const heir = await scene.start().ready;
    expect(heir).toMatchObject({ adopted: false, firstStart: false });
    expect(await query(heir.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('is not misled by a postmaster.pid that names a living process of the same user', async () => {
    const killed = scene.start();
    await killed.ready;
    const file = join(scene.cluster, 'postmaster.pid');
    const left = await readFile(file, 'utf8');
    await killed.stop();
    const { uid, gid } = await stat(scene.cluster);
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', uid, gid });
    try {
      await writeFile(file, left.replace(/^\d+/, String(stranger.pid)));
      expect(await scene.start().ready).toMatchObject({ adopted: false, firstStart: false });
      expect(stranger.exitCode).toBeNull();
    } finally {
      stranger.kill();
      await once(stranger, 'exit');
    }
  });

  it('is not stopped by an empty postmaster.pid left by a crash of the machine', async () => {
    const first = scene.start();
    await first.ready;
    await first.stop();
    await writeFile(join(scene.cluster, 'postmaster.pid'), '');
    expect(await scene.start().ready).toMatchObject({ adopted: false, firstStart: false });
  });

  it('refuses the data of another major version', async () => {
    await writeFile(join(scene.cluster, 'PG_VERSION'), '17\n');
    await expect(scene.start().ready).rejects.toThrow(/made by PostgreSQL 17, and this service brings 18/);
  });

  it('takes another port if the last one is in use', async () => {
    const first = scene.start();
    const { port } = new URL((await first.ready).url);
    await first.stop();
    const squatter = createServer().listen(Number(port), '127.0.0.1');
    await once(squatter, 'listening');
    try {
      const { url } = await scene.start().ready;
      expect(new URL(url).port).not.toBe(port);
      expect(await canQuery(url)).toBe(true);
    } finally {
      squatter.close();
    }
  });
});

describe('a start without a complete cluster', () => {
  it('makes the data anew after a kill in the middle of initdb', async () => {
    const killed = scene.start();
    await eventually(async () => {
      const names = await readdir(scene.dataDir).catch(() => []);
      const nursery = names.find((name) => name.startsWith('postgres.new-')) ?? '';
      return (await readdir(join(scene.dataDir, nursery, 'cluster')).catch(() => [])).length > 0;
    });
    await killed.kill();
    const ready = await scene.start().ready;
    expect(ready).toMatchObject({ adopted: false, firstStart: true });
    expect(await canQuery(ready.url)).toBe(true);
    expect((await readdir(scene.dataDir)).filter((name) => name.startsWith('postgres.new-'))).toEqual([]);
  });

  it('moves a half-made cluster aside instead of deleting it', async () => {
    await mkdir(join(scene.cluster, 'base'), { recursive: true });
    await writeFile(join(scene.cluster, 'PG_VERSION'), '18\n');
    expect(await scene.start().ready).toMatchObject({ firstStart: true });
    const aside = (await readdir(scene.dataDir)).find((name) => name.startsWith('postgres.unfinished-')) ?? '';
    expect(await readFile(join(scene.dataDir, aside, 'PG_VERSION'), 'utf8')).toBe('18\n');
  });

  it('refuses a complete cluster that the service did not make, and leaves it unchanged', async () => {
    await mkdir(join(scene.cluster, 'global'), { recursive: true });
    await writeFile(join(scene.cluster, 'PG_VERSION'), '18\n');
    await writeFile(join(scene.cluster, 'global', 'pg_control'), 'theirs');
    await expect(scene.start().ready).rejects.toThrow(/did not make.*Move it away.*DATABASE_URL/);
    expect(await readFile(join(scene.cluster, 'global', 'pg_control'), 'utf8')).toBe('theirs');
  });
});
