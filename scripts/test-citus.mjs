// The tests of the scanning wing on a cluster of Citus, at whose coordinator a superuser may make databases:
// `TEST_CITUS_URL=postgres://postgres@127.0.0.1:5432/postgres npm run test:citus`, or with some files after `--`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
if (!process.env.TEST_CITUS_URL) {
  console.error('npm run test:citus needs a cluster of Citus: set TEST_CITUS_URL to its coordinator');
  process.exit(1);
}
const wing = readdirSync('src/scanning', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `test/api/${name}/`);
const own = [
  'test/citus/',
  'test/api/audit/',
  'test/api/demo/',
  'test/api/quotas/',
  'test/api/resources/',
  'test/client/',
];
const chosen = process.argv.slice(2);
const files = chosen.some((argument) => argument.startsWith('test/')) ? chosen : [...wing, ...own, ...chosen];
const tests = spawn('npm', ['test', '--', ...files], { stdio: 'inherit' });
const [code] = await once(tests, 'exit');
process.exitCode = code ?? 1;
