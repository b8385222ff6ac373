import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { chooseServerUser, giveTree } from '@store-service/embedded-postgres';
import type { Arena } from '../arena.js';
import { PlainServer, superuserOf } from './plain-server.js';
import { filledShop, linesOf, loadOn, secondsUntilWell, settleMs } from './shop-cluster.js';
import { SmallDisk } from './small-disk.js';

const fullMs = 10_000;
const afterwardsMs = 10_000;
const askMs = 200;
const patienceMs = 60_000;
const leftOut = 'left out: it mounts a file system, which takes root on Linux, in a container with CAP_SYS_ADMIN';

/** A server for the arena's place, on a copy of its data in a folder; without the log, which stays where it is. */
async function copiedTo(folder: string, arena: Arena, withLog: boolean): Promise<PlainServer> {
  const user = await chooseServerUser(null);
  const { cluster } = await arena.leave();
  const log = join(cluster, 'pg_wal');
  const copied = join(folder, 'cluster');
  await cp(cluster, copied, { recursive: true, filter: (path) => withLog || path !== log });
  if (!withLog) await symlink(log, join(copied, 'pg_wal'));
  if (user.ids !== undefined) await giveTree(copied, user.ids);
  return new PlainServer(copied, user, superuserOf(arena).href);
}

/** Begins a new file of the log again and again, as much traffic does, until PostgreSQL has ended for want of room. */
async function useUpLog(server: PlainServer): Promise<void> {
  for (const until = Date.now() + patienceMs; server.isRunning; await sleep(askMs)) {
    if (Date.now() > until) throw new Error('PostgreSQL runs on, though its log has no room');
    await server.query('SELECT pg_switch_wal()').catch(() => undefined); // the one that ends it, and those after
  }
}

/** Returns what became of PostgreSQL, and when there was room again. */
async function makeTrouble(disk: SmallDisk, server: PlainServer, withLog: boolean): Promise<[string, number]> {
  await disk.fill();
  if (withLog) await useUpLog(server);
  await sleep(fullMs);
  const stopped = !server.isRunning;
  await disk.makeRoom();
  const roomAt = performance.now();
  if (!stopped) return ['ran on', roomAt];
  await server.start();
  return [`stopped itself, and took ${((performance.now() - roomAt) / 1_000).toFixed(1)} s to start again`, roomAt];
}

async function fillUnderLoad(arena: Arena, disk: SmallDisk, server: PlainServer, withLog: boolean): Promise<string[]> {
  const clients: Client[] = [];
  let [fate, roomAt] = ['', 0];
  const report = await loadOn({ folder: arena.folder, databaseUrl: arena.urlOf('shop') }, { nodes: 2 }, async () => {
    await sleep(settleMs);
    [fate, roomAt] = await makeTrouble(disk, server, withLog);
    await sleep(afterwardsMs);
    const client = await server.connect('shop');
    clients.push(client);
    return client;
  });
  for (const client of clients) await client.end();
  return [...linesOf(report), `PostgreSQL ${fate}; well ${secondsUntilWell(report, roomAt)} s after there was room`];
}

async function onSmallDisk(arena: Arena, withLog: boolean): Promise<string[]> {
  const disk = await SmallDisk.in(arena.folder);
  if (!disk) return [leftOut];
  try {
    await filledShop(arena);
    const server = await copiedTo(disk.folder, arena, withLog);
    try {
      await server.start();
      return await fillUnderLoad(arena, disk, server, withLog);
    } finally {
      await server.kill('SIGQUIT');
    }
  } finally {
    await disk.unmount();
  }
}

/** The disk of the tables is full for ten seconds; the log lies on another one. */
export function diskFull(arena: Arena): Promise<string[]> {
  return onSmallDisk(arena, false);
}

/** The one disk of tables and log is full until PostgreSQL stops itself, and ten seconds more. */
export function logFull(arena: Arena): Promise<string[]> {
  return onSmallDisk(arena, true);
}
