// The door: the pairs, and the runner that compares a system with them.
export { expectations, reportOf } from './expectations.mjs';
export { check, checkPair } from './check.mjs';
