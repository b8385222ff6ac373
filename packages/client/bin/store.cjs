#!/usr/bin/env node
// The command `store`: the built client, which the first call in a fresh checkout builds. CommonJS, which starts sooner.
const { existsSync } = require('node:fs');
const path = require('node:path');

const client = path.join(__dirname, '..', 'dist', 'store.cjs');
if (existsSync(client)) require(client);
else {
  void import('../../../scripts/build-if-stale.mjs').then(({ buildClientIfStale }) => {
    buildClientIfStale();
    require(client);
  });
}
