// Builds what is stale and measures the service against its baseline: `npm run bench [-- row ...] [--smoke | --profile]`.
// `npm run bench -- scale [name ...]` tries several nodes out.
import './ts-loader.mjs';
import { buildIfStale } from './build-if-stale.mjs';

buildIfStale();
await import(process.argv[2] === 'scale' ? '../bench/scale/main.ts' : '../bench/main.ts');
