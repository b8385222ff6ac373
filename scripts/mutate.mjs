// npm run mutate -- src/store/orders/order-payment.ts --tests test/unit/store/orders/order-payment.test.ts
// Runs tests on each mutant of a file: small faults that they should see. Prints those that no test saw, and fails if
// there are any. `--lines 10-40` takes the mutants of these lines alone. `--tests` may name several files, the quickest first:
// each runs on the mutants that those before it let pass.
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
/** Mutants at a time: tests with a database wait for it half of their time. */
const workers = '2';
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

/** Jest's settings for a file of tests on one mutant. */
function projectOf(name, text, test) {
  const inRoot = (path) => path.replaceAll('<rootDir>/', root);
  return {
    testEnvironment: base.testEnvironment,
    extensionsToTreatAsEsm: base.extensionsToTreatAsEsm,
    id: 'mutants',
    displayName: name,
    rootDir: root,
    roots: [dirname(test)],
    testMatch: [test],
    moduleNameMapper: Object.fromEntries(
      Object.entries(base.moduleNameMapper).map(([name_, path]) => [name_, inRoot(path)]),
    ),
    transform: {
      '^.+\\.ts$': [join(root, 'test/support/jest/mutant-transform.mjs'), { path: resolve(file), text, swc }],
    },
  };
}

/** Runs a file of tests on some mutants; returns what it says of each, and leaves out those that it did not reach in time. */
async function run(mutants, test) {
  const results = join(folder, 'results.jsonl');
  const config = join(folder, 'config.json');
  writeFileSync(results, '');
  const projects = mutants.map(({ id, text }) => projectOf(id, text, test));
  const reporters = [[join(root, 'test/support/jest/mutant-reporter.mjs'), { file: results }]];
  writeFileSync(
    config,
    JSON.stringify({ projects, reporters, rootDir: root, testTimeout, ...(needsServer && server) }),
  );
  // A test that failed may leave promises behind; their rejections are no concern of the mutants after it.
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--unhandled-rejections=warn'];
  const jest = [...node, 'node_modules/jest/bin/jest.js'];
  running = spawn(process.execPath, [...jest, '--config', config, '--maxWorkers', workers, '--forceExit'], {
    stdio: ['ignore', 'ignore', process.env.MUTATE_VERBOSE ? 'inherit' : 'ignore'],
  });
  const timer = setTimeout(
    () => running.kill('SIGKILL'),
    patienceMs + mutants.length * patienceMs * (mutants.length > 1 ? 0.5 : 1),
  );
  await once(running, 'exit');
  clearTimeout(timer);
  const told = readFileSync(results, 'utf8').split('\n').filter(Boolean);
  return new Map(told.map((line) => JSON.parse(line)).map((result) => [result.mutant, result]));
}

/** What became of each mutant; one whose tests do not end by themselves is run alone, and then killed by the clock. */
async function judge(mutants) {
  const killers = new Map();
  for (const test of tests) {
    const alive = mutants.filter(({ id }) => !killers.has(id));
    for (let at = 0; at < alive.length; at += batchSize) {
      const batch = alive.slice(at, at + batchSize);
      const results = await run(batch, test);
      for (const mutant of batch) {
        const result = results.get(mutant.id) ?? (await run([mutant], test)).get(mutant.id);
        const by = result ? result.by : 'its tests do not end';
        if (by !== null) killers.set(mutant.id, by);
      }
    }
  }
  return killers;
}

const source = readFileSync(file, 'utf8');
const mutants = mutantsOf(file, source, lines);
const killers = await judge([{ id: unchanged, text: source }, ...mutants]);
if (killers.has(unchanged)) {
  console.error(`The tests do not pass on ${unchanged}: ${killers.get(unchanged)}. Run them by npm test first.`);
  process.exitCode = 2;
} else {
  const survivors = mutants.filter(({ id }) => !killers.has(id));
  for (const { line, before, after } of survivors) console.log(`survived ${file}:${line}\n  - ${before}\n  + ${after}`);
  const killed = mutants.length - survivors.length;
  console.log(`${file}: ${mutants.length} mutants, ${killed} killed, ${survivors.length} survived`);
  process.exitCode = survivors.length === 0 ? 0 : 1;
}
