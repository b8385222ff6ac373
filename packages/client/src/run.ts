import { CommanderError } from 'commander';
import type { Choices } from './commands/context.js';
import { exitCodes, Failure } from './failure.js';
import { complaintsTo } from './output/complaints.js';
import { storeProgram } from './program.js';
import type { Surroundings } from './surroundings.js';

function codeOf(error: unknown, complain: (message: string) => void): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (error instanceof Failure) {
    complain(error.message);
    return error.exitCode;
  }
  complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return exitCodes.failed;
}

/** Runs one command line and returns its exit code. */
export async function run(args: string[], surroundings: Surroundings): Promise<number> {
  let choices: Choices = {};
  const open = async () => (await import('./commands/context.js')).makeContext(surroundings, choices);
  try {
    const store = await storeProgram(surroundings, open, args);
    store.hook('preAction', async (_, command) => {
      choices = (await import('./commands/choices.js')).choicesOf(store, command);
    });
    await store.parseAsync(args, { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    return codeOf(error, complaintsTo(surroundings.stderr));
  }
}
