import { execFile, spawnSync } from 'node:child_process';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from '@store-service/embedded-postgres';
import { whenInterrupted } from '../interruption.js';

const run = promisify(execFile);
/** Enough for a shop with its log. */
const megabytes = 400;
const block = Buffer.alloc(1 << 20);

/** A file system in memory that is small enough to be filled. */
export class SmallDisk {
  private readonly ballast: string;

  private readonly forget: () => void;

  private constructor(readonly folder: string) {
    this.ballast = join(folder, 'ballast');
    // At once, though programs may still use it.
    this.forget = whenInterrupted(() => spawnSync('umount', ['--lazy', folder]));
  }

  /** Null if this process may not mount one. */
  static async in(parent: string): Promise<SmallDisk | null> {
    const folder = join(parent, 'disk');
    await mkdir(folder);
    const options = `size=${megabytes}m,mode=0755`;
    const isMounted = await run('mount', ['-t', 'tmpfs', '-o', options, 'store-bench', folder]).then(
      () => true,
      () => false,
    );
    return isMounted ? new SmallDisk(folder) : null;
  }

  /** Takes all room that is left. */
  async fill(): Promise<void> {
    try {
      for (;;) await appendFile(this.ballast, block);
    } catch (error) {
      if (codeOf(error) !== 'ENOSPC') throw error;
    }
  }

  async makeRoom(): Promise<void> {
    await rm(this.ballast);
  }

  async unmount(): Promise<void> {
    this.forget();
    await run('umount', [this.folder]);
  }
}
