/**
 * The Node.js that what users run is tried on: the one that runs the tests, and those that `TEST_NODES` names by their paths,
 * separated by commas.
 */
export const nodes = [process.execPath, ...(process.env['TEST_NODES'] ?? '').split(',').filter((path) => path !== '')];
