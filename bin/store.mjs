#!/usr/bin/env node
// The command `store`: the built client, which the first call in a fresh checkout builds.
import { existsSync } from 'node:fs';

const client = new URL('../dist/src/client/main.js', import.meta.url);
if (!existsSync(client)) {
  const { buildIfStale } = await import('../scripts/build-if-stale.mjs');
  buildIfStale();
}
await import(client);
