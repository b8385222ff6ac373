// Builds what is stale into dist/, then runs the service in this same process, so that signals reach it.
import './node-version.mjs';
import { buildConsoleIfStale, buildIfStale } from './build-if-stale.mjs';

if (process.env.npm_lifecycle_event !== undefined) await import('./end-with-parent.mjs');
buildIfStale();
const isCommand = ['--help', '--storage-move', '--backup', '--restore', '--distribute'].some((command) =>
  process.argv.includes(command),
);
if (process.env.CONSOLE !== 'false' && !isCommand) buildConsoleIfStale();
await import('../dist/service/main.js');
