import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lastPort, livingPostmaster, readPostmasterFile, removeMisleadingFile } from '../src/postmaster-file.js';

let cluster: string;
let stranger: ChildProcess | undefined;

beforeEach(async () => {
  cluster = await mkdtemp(join(tmpdir(), 'postmaster-file-'));
});

afterEach(async () => {
  if (stranger?.kill('SIGKILL')) await once(stranger, 'exit');
  stranger = undefined;
  await rm(cluster, { recursive: true });
});

const write = (pid: number | undefined, status = 'ready   '): Promise<void> =>
  writeFile(join(cluster, 'postmaster.pid'), `${pid}\n${cluster}\n1700000000\n5433\n\n127.0.0.1\n  1 2\n${status}\n`);

/** A process that the system lists under this name. */
async function pose(name: string, args: string[]): Promise<number | undefined> {
  stranger = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)', '--', ...args], { argv0: name });
  await once(stranger, 'spawn');
  return stranger.pid;
}

describe('readPostmasterFile', () => {
  it('reads process id, port and status', async () => {
    await write(17);
    expect(await readPostmasterFile(cluster)).toEqual({ pid: 17, port: 5433, status: 'ready' });
  });

  it('treats a missing or empty file as none', async () => {
    expect(await readPostmasterFile(cluster)).toBeNull();
    await writeFile(join(cluster, 'postmaster.pid'), '');
    expect(await readPostmasterFile(cluster)).toBeNull();
  });
});

describe('livingPostmaster', () => {
  it('recognizes the server of this cluster', async () => {
    await write(await pose('/opt/bin/postgres', ['-D', cluster]));
    expect(await livingPostmaster(cluster)).toMatchObject({ port: 5433 });
  });

  it('is not fooled by the server of another cluster', async () => {
    await write(await pose('/opt/bin/postgres', ['-D', `${cluster}-2`]));
    expect(await livingPostmaster(cluster)).toBeNull();
  });

  it('is not fooled by another program that names this cluster', async () => {
    await write(await pose('tail', ['-f', cluster]));
    expect(await livingPostmaster(cluster)).toBeNull();
  });
});

describe('removeMisleadingFile', () => {
  it('removes a file that names a foreign process, and one that a crash left empty', async () => {
    await write(process.pid);
    await removeMisleadingFile(cluster);
    expect(await readdir(cluster)).toEqual([]);
    await writeFile(join(cluster, 'postmaster.pid'), '');
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(join(cluster, 'postmaster.pid'), longAgo, longAgo);
    await removeMisleadingFile(cluster);
    expect(await readdir(cluster)).toEqual([]);
  });

  it('keeps the file of a running server, and one that is being written', async () => {
    await write(await pose('/opt/bin/postgres', ['-D', cluster]));
    await removeMisleadingFile(cluster);
    await expect(readPostmasterFile(cluster)).resolves.not.toBeNull();
    await writeFile(join(cluster, 'postmaster.pid'), '');
    await removeMisleadingFile(cluster);
    expect(await readdir(cluster)).toEqual(['postmaster.pid']);
  });
});

describe('lastPort', () => {
  it('reads the port of the last start', async () => {
    await writeFile(join(cluster, 'postmaster.opts'), '/bin/postgres "-D" "/data" "-p" "5499" "-c" "jit=off"\n');
    expect(await lastPort(cluster)).toBe(5499);
  });

  it('is null before the first start', async () => {
    expect(await lastPort(cluster)).toBeNull();
  });
});
