/**
 * The versions of Node.js that users' code is tried on: the one that runs the tests, and those whose paths `TEST_NODES` lists,
 * separated by commas.
 */
export const nodes = [process.execPath, ...(process.env['TEST_NODES'] ?? '').split(',').filter((path) => path !== '')];
