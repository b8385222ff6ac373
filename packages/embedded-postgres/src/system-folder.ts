import { chmod, lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = 'store-service';

/**
 * Returns root's own folder `store-service` in `parent`, readable by everybody, or null if there can be none. One that
 * somebody else owns or may write is not taken: root would run whatever lies there.
 */
export async function systemFolder(parent: string): Promise<string | null> {
  const folder = join(parent, NAME);
  try {
    await mkdir(folder, { recursive: true });
    const found = await lstat(folder);
    if (!found.isDirectory() || found.uid !== process.getuid?.()) return null;
    await chmod(folder, 0o755);
    return folder;
  } catch {
    return null;
  }
}
