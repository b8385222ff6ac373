import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { parse } from 'node:path';
import { codeOf, refusal } from './embedded-server-error.js';

/** The user that PostgreSQL runs as; `ids` is absent where that is simply the user of this process. */
export interface ServerUser {
  name: string;
  ids?: { uid: number; gid: number };
}

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** True if this process is root, whom PostgreSQL refuses. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Returns the user of the passwd file that `matches` picks, or null. */
export function findUser(passwd: string, matches: (name: string, uid: number) => boolean): Required<ServerUser> | null {
  for (const line of passwd.split('\n')) {
    const [name = '', , uid = '', gid = ''] = line.split(':');
    // macOS writes nobody's ids as -2.
    const ids = { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
    if (name !== '' && uid !== '' && gid !== '' && matches(name, ids.uid)) return { name, ids };
  }
  return null;
}

/**
 * Chooses PostgreSQL's user: this process's user, or, under root, the owner of the data, else `postgres`, else
 * `nobody`. Throws an `EmbeddedServerError` if the machine has none of these.
 */
export async function chooseServerUser(ownerUid: number | null): Promise<ServerUser> {
  if (!isRoot()) return { name: 'this user' };
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  if (ownerUid !== null && ownerUid !== 0) {
    const owner = findUser(passwd, (_, uid) => uid === ownerUid);
    return owner ?? { name: `user ${ownerUid}`, ids: { uid: ownerUid, gid: ownerUid } };
  }
  const user = findUser(passwd, (name) => name === 'postgres') ?? findUser(passwd, (name) => name === 'nobody');
  if (user !== null && user.ids.uid !== 0) return user;
  throw refusal(
    'PostgreSQL refuses to run as root, and /etc/passwd knows neither a user postgres nor a user nobody',
    'Start the service as an ordinary user',
  );
}

/**
 * The variables that programs need to run at all; everything else of our environment, including secrets, is not
 * PostgreSQL's.
 */
const PASSED_ON = ['PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'COMSPEC', 'PATHEXT'];

/** The environment of PostgreSQL's programs. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const ours = PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...(Object.fromEntries(ours) as NodeJS.ProcessEnv), LC_ALL: 'C', TZ: 'UTC' };
}

/** The options that run a program as `user`, in a folder that every user can enter. */
export function spawnOptions(user: ServerUser): { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number } {
  return { cwd: parse(process.execPath).root, env: serverEnvironment(), ...user.ids };
}

/** Runs a program as `user` to its end; rejects where it cannot start. */
export function runAs(user: ServerUser, program: string, args: string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that Ctrl-C at the terminal does not cut initdb in two.
    const child = spawn(program, args, { ...spawnOptions(user), detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
    child.once('error', (error) => reject(spawnRefusal(user, program, error)));
    child.once('close', (code) => resolve({ code, ...output }));
  });
}

function spawnRefusal(user: ServerUser, program: string, error: Error): Error {
  const mayNotSwitch = user.ids !== undefined && ['EPERM', 'EINVAL'].includes(codeOf(error));
  if (!mayNotSwitch) return error;
  return refusal(
    `PostgreSQL refuses to run as root, and this process may not run ${program} as ${user.name}`,
    'Start the service as an ordinary user',
    error,
  );
}

/** Tries, as `user`, to write into `folder`: that asks modes, mounts and security modules at once. */
export async function canWrite(user: ServerUser, folder: string): Promise<boolean> {
  if (user.ids === undefined) return true;
  const probe = `${folder}/.probe-${process.pid}`;
  const outcome = await runAs(user, '/bin/sh', ['-c', ': > "$1" && rm -f "$1"', 'sh', probe]);
  return outcome.code === 0;
}
