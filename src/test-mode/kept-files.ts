import { link, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';

async function filesIn(folder: string): Promise<Set<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)),
  );
}

/** The uploads of each seed. A stored picture never changes, so that a second name keeps it. */
@Injectable()
export class KeptFiles {
  private readonly uploads: string;

  constructor(@Inject(Settings) private readonly settings: Settings) {
    this.uploads = join(settings.dataDir, 'uploads');
  }

  async keep(seed: string): Promise<void> {
    for (const file of await filesIn(this.uploads))
      await this.name(join(this.uploads, file), join(this.folderOf(seed), file));
  }

  async restore(seed: string): Promise<void> {
    const [kept, present] = await Promise.all([filesIn(this.folderOf(seed)), filesIn(this.uploads)]);
    for (const file of present) if (!kept.has(file)) await rm(join(this.uploads, file), { force: true });
    for (const file of kept) {
      if (!present.has(file)) await this.name(join(this.folderOf(seed), file), join(this.uploads, file));
    }
  }

  async drop(seed: string): Promise<void> {
    await rm(this.folderOf(seed), { recursive: true, force: true });
  }

  private folderOf(seed: string): string {
    return join(this.settings.dataDir, `seed-${seed}`);
  }

  private async name(file: string, name: string): Promise<void> {
    await mkdir(dirname(name), { recursive: true });
    await link(file, name);
  }
}
