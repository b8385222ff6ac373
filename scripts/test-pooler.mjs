// The tests of the API on a service behind PgBouncer in transaction mode: `npm run test:pooler`, or with some files:
// `npm run test:pooler -- test/api/cart`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
if (spawnSync('pgbouncer', ['--version']).error) {
  console.error('npm run test:pooler needs PgBouncer: install it first, on Debian by "apt-get install pgbouncer"');
  process.exit(1);
}
const chosen = process.argv.slice(2);
const files = chosen.some((argument) => argument.startsWith('test/')) ? chosen : ['test/api', 'test/pooler', ...chosen];
const tests = spawn('npm', ['test', '--', ...files], { env: { ...process.env, TEST_POOLER: '1' }, stdio: 'inherit' });
const [code] = await once(tests, 'exit');
process.exitCode = code ?? 1;
