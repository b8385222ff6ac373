// Builds what is stale into dist/, then runs the service in this same process, so that signals reach it.
import './node-version.mjs';
import { buildIfStale } from './build-if-stale.mjs';

if (process.env.npm_lifecycle_event !== undefined) await import('./end-with-parent.mjs');
buildIfStale();
await import('../dist/src/main.js');
