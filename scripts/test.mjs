// Jest with one more option: `npm test -- --changed` runs the tests that uncommitted changes reach, `--changed=main` those
// that changes since that branch reach. Jest has other names for these, and refuses this one.
import { createRequire } from 'node:module';

const own = [
  [/^--changed$/, '--onlyChanged'],
  [/^--changed=/, '--changedSince='],
];
process.argv = process.argv.map((argument) => own.reduce((text, [ours, jests]) => text.replace(ours, jests), argument));
createRequire(import.meta.url)('../node_modules/jest/bin/jest.js');
