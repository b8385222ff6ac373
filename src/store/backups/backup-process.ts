import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';

/** A backup at BACKUP_TO. */
export interface MadeBackup {
  name: string;
  bytes: number;
}

const main = fileURLToPath(new URL('../../main.js', import.meta.url));
/** Of what the command prints, the end is kept. */
const mostPrinted = 4_000;
const longestReason = 500;

/** Makes a backup as `npm run backup` does, in a process of its own, so that requests do not wait for it. */
@Injectable()
export class BackupProcess {
  /** Rejects with what the command says where it fails. An aborted one tidies up by itself. */
  async run(signal: AbortSignal): Promise<MadeBackup> {
    const child = spawn(process.execPath, [...process.execArgv, main, '--backup'], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const stop = (): void => void child.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    let printed = '';
    let made: MadeBackup | undefined;
    child.stderr?.on('data', (piece: Buffer) => (printed = (printed + piece.toString()).slice(-mostPrinted)));
    child.on('message', (message) => (made = message as MadeBackup));
    try {
      const [code] = (await once(child, 'close')) as [number | null];
      signal.throwIfAborted();
      if (code === 0 && made) return made;
      throw new Error(reasonIn(printed) || `The backup ended with code ${code}`);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

/** The sentence that a command ends with. */
function reasonIn(printed: string): string {
  return (
    printed
      .trim()
      .split(/\n\s*\n/)
      .at(-1)
      ?.slice(0, longestReason) ?? ''
  );
}
