import { CommanderError } from 'commander';
import { exitCodes, Failure } from './failure.js';
import { complain } from './output/complaints.js';
import { storeProgram } from './program.js';

function codeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (error instanceof Failure) {
    complain(error.message);
    return error.exitCode;
  }
  complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return exitCodes.failed;
}

/** A reader that closes the pipe early, such as `head`, is no failure. */
function endWithReader(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok);
  complain(`Cannot write the results: ${error.message}`);
  process.exit(exitCodes.failed);
}

/** Runs one command line and returns its exit code. */
export async function run(args: string[]): Promise<number> {
  process.stdout.on('error', endWithReader);
  process.stderr.on('error', () => undefined);
  process.on('SIGINT', () => process.exit(exitCodes.interrupted));
  try {
    await storeProgram().parseAsync(args, { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    return codeOf(error);
  }
}
