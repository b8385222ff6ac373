#!/usr/bin/env node
import { exitCodes } from './failure.js';
import { complaintsTo } from './output/complaints.js';
import { run } from './run.js';

const complain = complaintsTo(process.stderr);

/** A reader that closes the pipe early, such as `head`, is no failure. */
function endWithReader(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok);
  complain(`Cannot write the results: ${error.message}`);
  process.exit(exitCodes.failed);
}

process.stdout.on('error', endWithReader);
process.stderr.on('error', () => undefined);
let endsByItself = false;
let interruptedAt: number | undefined;
/** Signals this close together come from one Ctrl-C: the terminal sends it to all processes, and npx passes it on as well. */
const oneInterruptMs = 500;
const interrupt = (): void => {
  // A user who asks twice does not want to wait.
  if (!endsByItself || performance.now() - (interruptedAt ?? Infinity) > oneInterruptMs) {
    process.exit(exitCodes.interrupted);
  }
  interruptedAt ??= performance.now();
};
process.on('SIGINT', interrupt);
process.exitCode = exitCodes.failed; // until the run is over: one that never finishes by itself is no success
void run(process.argv.slice(2), {
  env: process.env,
  platform: process.platform,
  get stdin() {
    return process.stdin; // opened where it is read, as that takes time
  },
  stdout: process.stdout,
  stderr: process.stderr,
  watchReader: async () => {
    const { onReaderGone } = await import('./output/reader.js');
    onReaderGone(1, () => process.exit(exitCodes.ok));
  },
  onInterrupt: (listener, { lasts } = { lasts: false }) => {
    if (lasts) process.once('SIGTERM', () => process.emit('SIGINT'));
    endsByItself ||= lasts;
    process.prependOnceListener('SIGINT', listener);
  },
}).then((code) => {
  process.exitCode = code;
});
