// Runs all checks, two at once, and prints what each says when it is done: `npm run check`.
import { spawn } from 'node:child_process';

/** The longest first. */
const checks = [
  'expressions',
  'types',
  'types:console',
  'types:storefront',
  'walls',
  'dead-code',
  'format',
  'lint',
  'openapi',
];
const atOnce = 2;
const failed = [];

async function run(check) {
  const child = spawn('npm', ['run', check], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => output.push(bytes));
  const code = await new Promise((resolve) => child.once('close', resolve));
  process.stdout.write(Buffer.concat(output));
  if (code !== 0) failed.push(check);
}

async function runNext() {
  for (let check = checks.shift(); check !== undefined; check = checks.shift()) await run(check);
}

await Promise.all(Array.from({ length: atOnce }, runNext));
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
