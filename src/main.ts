import './cli/node-version.js';
import 'reflect-metadata';
import module from 'node:module';
import { checkArguments, usage } from './cli/commands.js';
import { loadEnvFile } from './config/env-file.js';
import { StartError } from './config/start-error.js';
import { endOnSignal } from './cli/graceful-shutdown.js';

// Node.js 22 and newer keep what they compiled for the next start.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

/** Runs the requested command, and loads only that. */
async function run(environment: NodeJS.ProcessEnv, args: string[]): Promise<void> {
  loadEnvFile('.env', environment);
  checkArguments(args);
  if (args.includes('--help')) return console.log(usage);
  if (args.includes('--backup')) return (await import('./cli/backup/backup.js')).makeBackup(environment, args);
  if (args.includes('--restore')) return (await import('./cli/backup/restore.js')).restoreBackup(environment, args);
  const tries = args.includes('--doctor');
  if (tries || args.includes('--check')) return (await import('./cli/check.js')).checkService(environment, { tries });
  if (args.includes('--distribute'))
    return (await import('./database/distribution/distribute.js')).distribute(environment, args);
  if (args.includes('--storage-move')) {
    return (await import('./cli/move-storage.js')).moveStorage(environment, args.includes('--dry-run'));
  }
  endOnSignal();
  if (args.includes('--ephemeral')) return (await import('./cli/ephemeral.js')).startEphemeral(environment, args);
  const service = await import('./cli/service.js');
  if (args.includes('--rotate-keys')) return service.rotateKeys(environment);
  return args.includes('--demo-reset') ? service.resetDemo(environment) : service.startService(environment);
}

async function isExpected(error: unknown): Promise<boolean> {
  const { EmbeddedServerError } = await import('@store-service/embedded-postgres');
  return error instanceof StartError || error instanceof EmbeddedServerError;
}

run(process.env, process.argv.slice(2)).catch(async (error: Error) => {
  console.error((await isExpected(error)) ? `\n${error.message}\n` : error);
  process.exit(1);
});
