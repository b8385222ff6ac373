// npm run mutate -- src/store/orders/order-payment.ts --tests test/unit/store/orders/order-payment.test.ts
// Runs tests on each mutant of a file: small faults that they should see. Prints those that no test saw, and fails if
// there are any. `--lines 10-40` takes the mutants of these lines alone, `--tests` may have several files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import './ts-loader.mjs';

const { mutantsOf } = await import('./mutants.ts');
const root = fileURLToPath(new URL('..', import.meta.url));
/** Mutants that share a start of Jest; one that never ends costs the others of its batch another run. */
const batchSize = 60;
/** Longer than a batch takes on a busy machine, for each mutant. */
const patienceMs = 60_000;
const unchanged = 'the file as it is';

process.chdir(root);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tests: { type: 'string', multiple: true, default: [] }, lines: { type: 'string' } },
});
const [file, ...moreTests] = positionals;
const tests = [...values.tests, ...moreTests].map((path) => resolve(path));
const missing = [file, ...tests].filter((path) => path !== undefined && !existsSync(path));
if (file === undefined || tests.length === 0 || missing.length > 0) {
  const why = missing.length > 0 ? `There is no ${missing.join(', ')}. ` : '';
  console.error(`${why}Name a file and its tests: npm run mutate -- src/FILE.ts --tests test/unit/FILE.test.ts`);
  process.exit(2);
}
const lines = values.lines?.split('-').map(Number);

process.env.JEST_RUNTIME = 'default'; // in which each test file loads its own modules
const { default: base } = await import('../jest.config.mjs');
const swc = JSON.parse(readFileSync('.swcrc', 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'store-mutants-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let running;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    running?.kill('SIGKILL');
    process.exit(130);
  });
}

/** Tests with a database need a server, which is started once for a batch. Those of the API may name it in a scene alone. */
const needsServer = tests.some(
  (path) => path.startsWith(join(root, 'test/api/')) || /\/test-(?:app|database)\.js'/.test(readFileSync(path, 'utf8')),
);
/** A mutant may never come to its end: a test alone is given up sooner. */
const testTimeout = needsServer ? 30_000 : 10_000;
const server = {
  globalSetup: join(root, 'test/support/global-setup.mjs'),
  globalTeardown: join(root, 'test/support/global-teardown.mjs'),
};

/** Jest's settings for the tests of one mutant. */
function projectOf(name, text) {
  const inRoot = (path) => path.replaceAll('<rootDir>/', root);
  return {
    testEnvironment: base.testEnvironment,
    extensionsToTreatAsEsm: base.extensionsToTreatAsEsm,
    id: 'mutants',
    displayName: name,
    rootDir: root,
    roots: [...new Set(tests.map(dirname))],
    testMatch: tests,
    moduleNameMapper: Object.fromEntries(
      Object.entries(base.moduleNameMapper).map(([name_, path]) => [name_, inRoot(path)]),
    ),
    transform: {
      '^.+\\.ts$': [join(root, 'test/support/jest/mutant-transform.mjs'), { path: resolve(file), text, swc }],
    },
  };
}

/** Runs the tests on some mutants; returns what became of each, and leaves out those that were not reached in time. */
async function run(mutants) {
  const results = join(folder, 'results.jsonl');
  const config = join(folder, 'config.json');
  writeFileSync(results, '');
  const projects = mutants.map(({ id, text }) => projectOf(id, text));
  const reporters = [[join(root, 'test/support/jest/mutant-reporter.mjs'), { file: results }]];
  writeFileSync(
    config,
    JSON.stringify({ projects, reporters, rootDir: root, testTimeout, ...(needsServer && server) }),
  );
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  running = spawn(process.execPath, [...jest, '--config', config, '--maxWorkers', '1', '--forceExit'], {
    stdio: ['ignore', 'ignore', process.env.MUTATE_VERBOSE ? 'inherit' : 'ignore'],
  });
  const timer = setTimeout(
    () => running.kill('SIGKILL'),
    patienceMs + mutants.length * patienceMs * (mutants.length > 1 ? 0.5 : 1),
  );
  await once(running, 'exit');
  clearTimeout(timer);
  const byId = new Map();
  for (const line of readFileSync(results, 'utf8').split('\n').filter(Boolean)) {
    const { mutant, isKilled, by, passed } = JSON.parse(line);
    const known = byId.get(mutant) ?? { files: 0, passed: 0, by: null };
    known.files += 1;
    known.passed += passed;
    if (isKilled) known.by ??= by;
    byId.set(mutant, known);
  }
  return byId;
}

/** What became of each mutant; one whose tests do not end by themselves is run alone, and then killed by the clock. */
async function judge(mutants) {
  const known = new Map();
  for (let at = 0; at < mutants.length; at += batchSize) {
    const batch = mutants.slice(at, at + batchSize);
    for (const [id, result] of await run(batch)) known.set(id, result);
    for (const mutant of batch.filter(({ id }) => !isTold(known.get(id)))) {
      const result = (await run([mutant])).get(mutant.id);
      known.set(mutant.id, isTold(result) ? result : { by: 'its tests do not end' });
    }
  }
  return known;
}

/** Whether a test failed, or all files of tests are through. */
function isTold(result) {
  return result !== undefined && (result.by !== null || result.files === tests.length);
}

const source = readFileSync(file, 'utf8');
const mutants = mutantsOf(file, source, lines);
const results = await judge([{ id: unchanged, text: source }, ...mutants]);
const sound = results.get(unchanged);
if (sound.by !== null || sound.passed === 0) {
  console.error(`The tests do not pass on ${unchanged}: ${sound.by ?? 'none ran'}. Run them by npm test first.`);
  process.exitCode = 2;
} else {
  const survivors = mutants.filter(({ id }) => results.get(id).by === null);
  for (const { line, before, after } of survivors) console.log(`survived ${file}:${line}\n  - ${before}\n  + ${after}`);
  const killed = mutants.length - survivors.length;
  console.log(`${file}: ${mutants.length} mutants, ${killed} killed, ${survivors.length} survived`);
  process.exitCode = survivors.length === 0 ? 0 : 1;
}
