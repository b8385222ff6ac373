// Adds the missing hashes to package-lock.json, of packages that the configured registry has.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(file, 'utf8'));

function hashOf(name, version) {
  const { status, stdout } = spawnSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], { encoding: 'utf8' });
  const hash = stdout.trim();
  return status === 0 && hash.startsWith('sha512-') ? hash : undefined;
}

const missing = Object.entries(lock.packages).filter(([path, entry]) => path !== '' && !entry.integrity && !entry.link);
let added = 0;
for (const [path, entry] of missing) {
  const hash = hashOf(path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), entry.version);
  if (hash === undefined) continue;
  entry.integrity = hash;
  added++;
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} hashes added, ${missing.length - added} packages are not in this registry`);
