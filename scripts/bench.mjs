// Builds what is stale and measures the service against its baseline: `npm run bench [-- row ...] [--smoke | --profile]`.
import '../test/support/ts-loader.mjs';
import { buildIfStale } from './build-if-stale.mjs';

buildIfStale();
await import('../bench/main.ts');
