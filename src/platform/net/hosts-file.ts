import type { LookupAddress } from 'node:dns';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';

const systemPath =
  process.platform === 'win32'
    ? join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts';

/** The names in this machine's hosts file (hosts(5)), which is read again when it has changed. */
export class HostsFile {
  private readAt = '';
  private addresses = new Map<string, LookupAddress[]>();

  constructor(private readonly path = systemPath) {}

  /** The addresses of a name in lower case; none where the file does not have it, or cannot be read. */
  addressesOf(name: string): LookupAddress[] {
    // Synchronously: the file is small, and all threads may be busy with pictures.
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
    for (const name of names) {
      const addresses = found.get(name) ?? [];
      addresses.push({ address, family });
      found.set(name, addresses);
    }
  }
  return found;
}
