import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';

const swcOptions = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));

// packages/jest-runtime/README.md says what it gains; coverage is counted by Jest's own runtime alone.
const isShared = process.env.JEST_RUNTIME !== 'default' && !process.argv.includes('--coverage');
const shared = {
  runtime: '<rootDir>/packages/jest-runtime/src/app-runtime.mjs',
  testEnvironment: '<rootDir>/packages/jest-runtime/src/app-environment.mjs',
};

// Those need PgBouncer, or a cluster of Citus: `npm run test:pooler` and `npm run test:citus` run them. There, plans
// are of many servers, and the functions that it has are not tried on one.
const notHere = [
  ...(process.env.TEST_POOLER === '1' ? [] : ['<rootDir>/test/pooler/']),
  ...(process.env.TEST_CITUS_URL
    ? ['/append-functions.test.ts$', '/event-servers.test.ts$', '/event-plans.test.ts$', '/import-plans.test.ts$']
    : ['<rootDir>/test/citus/']),
];

/** The heap in bytes at which a worker makes way for a new one: what a file loaded stays in its worker. */
const workerMemory = Math.min(3 * 2 ** 30, totalmem() / 8);

/** @type {import('jest').Config} */
export default {
  ...(isShared ? shared : { testEnvironment: 'node' }),
  roots: ['<rootDir>/test', '<rootDir>/packages'],
  testPathIgnorePatterns: notHere,
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@store-service/(demo|embedded-postgres|sdk)$': '<rootDir>/packages/$1/src/index.ts',
  },
  modulePathIgnorePatterns: ['<rootDir>/packages/.*/dist/'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', swcOptions],
  },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/jest/second-try.ts'],
  reporters: ['default', '<rootDir>/test/support/jest/unsteady.mjs'],
  testSequencer: '<rootDir>/test/support/jest/slow-first.mjs',
  testTimeout: 180_000,
  // Twice the two cores of a small machine: many files wait for processes that start, are killed or time out.
  maxWorkers: 4,
  workerIdleMemoryLimit: workerMemory,
};
