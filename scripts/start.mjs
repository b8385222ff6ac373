// Builds what is stale into dist/, then runs the service in this very process, so that signals reach it.
import module from 'node:module';
import { buildIfStale } from './build-if-stale.mjs';

buildIfStale();
module.enableCompileCache?.(); // Node 22 and newer: the second start finds its modules compiled
await import('../dist/src/main.js');
