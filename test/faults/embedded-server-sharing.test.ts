import { chmod, cp, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startEmbeddedServer } from '@store-service/embedded-postgres';
import { copyReadably } from '../support/readable-copy.js';
import {
  canQuery,
  eventually,
  gone,
  postmasterPid,
  query,
  sceneOfEachTest,
  sceneToCopy,
} from '../support/service-copies.js';

const scene = sceneOfEachTest();
const made = sceneToCopy();

/** A data folder below one that only root can enter. */
const closed = (): string => join(scene.folder, 'closed', 'data');

/** The place of the cluster for a data folder that PostgreSQL cannot reach. */
async function outerCluster(dataDir: string): Promise<string> {
  const marker: unknown = JSON.parse(await readFile(join(dataDir, 'postgres-place.json'), 'utf8'));
  if (marker === null || typeof marker !== 'object' || !('cluster' in marker)) throw new Error('No cluster is named');
  return String(marker.cluster);
}

describe('copies of the service on one data folder', () => {
  it('make one cluster and share one server when four start at once', async () => {
    const ready = await Promise.all(Array.from({ length: 4 }, () => scene.start().ready));
    expect(new Set(ready.map(({ url }) => url)).size).toBe(1);
    expect(ready.filter(({ firstStart }) => firstStart)).toHaveLength(1);
    expect(ready.filter(({ adopted }) => !adopted)).toHaveLength(1);
  });
});

describe('copies of the service on the data of an earlier one', () => {
  beforeEach(() => scene.copyOf(made));

  it('keep the server until the last one stops', async () => {
    const [first, second] = [scene.start(), scene.start()];
    const [{ url }] = await Promise.all([first.ready, second.ready]);
    const pid = await postmasterPid(scene.cluster);
    await first.stop();
    expect(await canQuery(url)).toBe(true);
    await second.stop();
    await gone(pid);
  });

  it('leave no server behind when all stop at once', async () => {
    const copies = [scene.start(), scene.start(), scene.start()];
    await Promise.all(copies.map((copy) => copy.ready));
    const pid = await postmasterPid(scene.cluster);
    await Promise.all(copies.map((copy) => copy.stop()));
    await gone(pid);
  });

  it('are served when they start while another stops', async () => {
    const leaving = scene.start();
    await leaving.ready;
    const [, ready] = await Promise.all([leaving.stop(), scene.start().ready]);
    expect(await canQuery(ready.url)).toBe(true);
  });

  it('have servers of their own on different folders', async () => {
    const other = scene.start(join(scene.folder, 'other'));
    const mine = scene.start();
    const [a, b] = await Promise.all([mine.ready, other.ready]);
    await other.stop();
    expect(a.url).not.toBe(b.url);
    expect(await canQuery(a.url)).toBe(true);
  });
});

describe("the server's environment", () => {
  beforeEach(() => scene.copyOf(made));

  it("holds none of the service's secrets", async () => {
    process.env['JWT_SECRET'] = 'not-for-the-database-of-this-test';
    try {
      await scene.start().ready;
      const environment = await readFile(`/proc/${await postmasterPid(scene.cluster)}/environ`, 'utf8');
      expect(environment).toContain('LC_ALL=C');
      expect(environment).not.toMatch(/SECRET|not-for-the-database/);
    } finally {
      delete process.env['JWT_SECRET'];
    }
  });
});

describe('a server that dies while the service lives', () => {
  beforeEach(() => scene.copyOf(made));

  it('comes back on the same port with the data, for all copies', async () => {
    const copies = [scene.start(), scene.start()];
    const [{ url }] = await Promise.all([copies[0]?.ready ?? Promise.reject(new Error('no copy')), copies[1]?.ready]);
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const pid = await postmasterPid(scene.cluster);
    process.kill(pid, 'SIGKILL');
    await eventually(() => copies.every(({ lines }) => lines.some((line) => line.includes('is back'))));
    expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(await postmasterPid(scene.cluster)).not.toBe(pid);
  });

  it('is waited for by ensureRunning', async () => {
    const server = await startEmbeddedServer({ dataDir: scene.dataDir, settings: { fsync: 'off' } });
    try {
      process.kill(await postmasterPid(scene.cluster), 'SIGKILL');
      await eventually(async () => !(await canQuery(server.url)));
      await server.ensureRunning();
      expect(await canQuery(server.url)).toBe(true);
    } finally {
      await server.stop();
    }
  });

  it('is ended by the stop that follows', async () => {
    const copy = scene.start();
    await copy.ready;
    process.kill(await postmasterPid(scene.cluster), 'SIGKILL');
    await eventually(() => copy.lines.some((line) => line.includes('is back')));
    const pid = await postmasterPid(scene.cluster);
    await copy.stop();
    await gone(pid);
  });
});

// An ordinary user has no other user to keep out.
if (process.getuid?.() === 0)
  describe('under root, with folders that PostgreSQL cannot reach', () => {
    beforeEach(async () => {
      await mkdir(dirname(closed()), { mode: 0o700 });
      await chmod(dirname(closed()), 0o700);
    });

    it('keeps the data elsewhere, says where, and finds them again', async () => {
      const first = scene.start(closed());
      await query((await first.ready).url, 'CREATE TABLE kept AS SELECT 42 AS answer');
      const outer = await outerCluster(closed());
      await first.stop();
      const second = scene.start(closed());
      try {
        expect(first.lines.join('\n')).toContain(outer);
        expect(await query((await second.ready).url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
      } finally {
        await second.stop();
        await rm(outer, { recursive: true });
      }
    });

    it('makes one cluster when two start at once, and a new one after the data folder was deleted', async () => {
      const copies = [scene.start(closed()), scene.start(closed())];
      const ready = await Promise.all(copies.map((copy) => copy.ready));
      const outer = await outerCluster(closed());
      await Promise.all(copies.map((copy) => copy.stop()));
      await rm(closed(), { recursive: true });
      const fresh = scene.start(closed());
      expect(await fresh.ready).toMatchObject({ firstStart: true });
      const second = await outerCluster(closed());
      await fresh.stop();
      await Promise.all([outer, second].map((folder) => rm(folder, { recursive: true })));
      expect(ready.filter(({ firstStart }) => firstStart)).toHaveLength(1);
      expect(second).not.toBe(outer);
    });

    it("refuses a copied data folder rather than write into the original's data", async () => {
      const original = scene.start(closed());
      await original.ready;
      const outer = await outerCluster(closed());
      await original.stop();
      await cp(closed(), scene.dataDir, { recursive: true });
      await expect(scene.start().ready).rejects.toThrow(/is a copy of .*Delete .*postgres-place\.json/);
      await rm(outer, { recursive: true });
    });

    it('serves the folder of an ordinary user and leaves it usable for that user', async () => {
      const { folder, child } = await copyReadably();
      try {
        const nobody = { uid: 65_534, gid: 65_534, child };
        await chmod(scene.folder, 0o777);
        const theirs = scene.start(scene.dataDir, nobody);
        await theirs.ready;
        await theirs.stop();
        const roots = scene.start();
        await roots.ready;
        await roots.stop();
        const again = scene.start(scene.dataDir, nobody);
        expect(await again.ready).toMatchObject({ firstStart: false });
        await again.stop();
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  });
