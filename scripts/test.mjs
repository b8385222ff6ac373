// Jest, with one option more: `npm test -- --changed` runs what uncommitted changes reach, `--changed=main` what those
// since that branch reach. Jest has names of its own for them, and refuses this one.
import { createRequire } from 'node:module';

const own = [
  [/^--changed$/, '--onlyChanged'],
  [/^--changed=/, '--changedSince='],
];
process.argv = process.argv.map((argument) => own.reduce((text, [ours, jests]) => text.replace(ours, jests), argument));
createRequire(import.meta.url)('../node_modules/jest/bin/jest.js');
