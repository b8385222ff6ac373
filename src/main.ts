import './node-version.js';
import 'reflect-metadata';
import { inspect } from 'node:util';
import { checkArguments, usage } from './commands.js';
import { useCompiledCode } from './compile-cache.js';
import { loadEnvFile } from './config/env-file.js';
import { StartError } from './config/start-error.js';
import { endOnSignal } from './early-signals.js';
import { EmbeddedServerError } from './embedded-server/embedded-server-error.js';

useCompiledCode();

/** The requested command; only that is loaded. */
async function run(environment: NodeJS.ProcessEnv, args: string[]): Promise<void> {
  loadEnvFile('.env', environment);
  checkArguments(args);
  if (args.includes('--help')) return console.log(usage);
  if (args.includes('--backup')) return (await import('./backup/backup.js')).makeBackup(environment, args);
  if (args.includes('--restore')) return (await import('./backup/restore.js')).restoreBackup(environment, args);
  if (args.includes('--distribute'))
    return (await import('./distribution/distribute.js')).distribute(environment, args);
  if (args.includes('--storage-move')) {
    return (await import('./move-storage.js')).moveStorage(environment, args.includes('--dry-run'));
  }
  endOnSignal();
  const service = await import('./service.js');
  return args.includes('--demo-reset') ? service.resetDemo(environment) : service.startService(environment);
}

/** An unexpected error, with its place in the TypeScript if that can be found. It never fails: that would be one more error. */
async function traced(error: unknown): Promise<string> {
  const trace = inspect(error);
  try {
    return (await import('./common/errors/mapped-stack.js')).mappedStack(trace);
  } catch {
    return trace; // the build is gone, or there are too many open files
  }
}

async function stopped(error: unknown): Promise<never> {
  const expected = error instanceof StartError || error instanceof EmbeddedServerError;
  console.error(expected ? `\n${error.message}\n` : await traced(error));
  process.exit(1);
}

// Node.js would print the line of the code as well, and one of the built service can have 600 kB.
process.on('uncaughtException', (error) => void stopped(error));
run(process.env, process.argv.slice(2)).catch(stopped);
