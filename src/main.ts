import 'reflect-metadata';
import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { StartError } from './config/start-error.js';
import { EmbeddedServerError } from './embedded-server/embedded-server-error.js';
import { moveStorage } from './move-storage.js';
import { resetDemo, startService } from './service.js';

if (existsSync('.env')) loadEnvFile('.env');

try {
  if (cluster.isWorker) await (await import('./workers/worker.js')).startWorker(process.env);
  else if (process.argv.includes('--demo-reset')) await resetDemo(process.env);
  else if (process.argv.includes('--storage-move')) await moveStorage(process.env, process.argv.includes('--dry-run'));
  else await startService(process.env);
} catch (error) {
  const expected = error instanceof StartError || error instanceof EmbeddedServerError;
  console.error(expected ? `\n${error.message}\n` : error);
  process.exit(1);
}
