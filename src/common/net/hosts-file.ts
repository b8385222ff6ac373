import type { LookupAddress } from 'node:dns';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';

const systemPath =
  process.platform === 'win32'
    ? join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts';

/** The names that this machine's own file gives addresses to (hosts(5)). It is read anew when it has changed. */
export class HostsFile {
  private readAt = '';
  private addresses = new Map<string, LookupAddress[]>();

  constructor(private readonly path = systemPath) {}

  /** The addresses of a name in lower case; none where the file does not have it, or cannot be read. */
  addressesOf(name: string): LookupAddress[] {
    // Read at once rather than by a thread: the file is small, and the threads may all be at work on pictures.
    const stats = statSync(this.path, { throwIfNoEntry: false });
    const version = stats ? `${stats.mtimeMs} ${stats.size}` : '';
    if (version !== this.readAt) this.addresses = version === '' ? new Map() : parse(textOf(this.path));
    this.readAt = version;
    return this.addresses.get(name) ?? [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function parse(text: string): Map<string, LookupAddress[]> {
  const found = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').trim().toLowerCase().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) found.set(name, [...(found.get(name) ?? []), { address, family }]);
  }
  return found;
}
