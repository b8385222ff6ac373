// Builds what is stale into dist/, then runs the service in this very process, so that signals reach it.
import { buildIfStale } from './build-if-stale.mjs';

buildIfStale();
process.setSourceMapsEnabled(true);
await import('../dist/src/main.js');
