import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';

/**
 * Calls `gone` once nobody reads the pipe of this descriptor any more, as after `| head -1`. Node.js notices only on a write,
 * which may be long in coming; the tail of GNU (coreutils 8.28) watches its output meanwhile, and dies of SIGPIPE. If there
 * is no tail, or one without --pid, the next write tells.
 */
export function onReaderGone(descriptor: number, gone: () => void): void {
  if (!fstatSync(descriptor).isFIFO()) return;
  const args = ['-s', '0.2', `--pid=${process.pid}`, '-f', '/dev/null'];
  const tail = spawn('tail', args, { stdio: ['ignore', descriptor, 'ignore'] });
  tail.unref();
  tail.on('error', () => undefined);
  tail.on('exit', (_code, signal) => {
    if (signal === 'SIGPIPE') gone();
  });
  // A pipe ends with its last writer.
  process.once('exit', () => tail.kill());
}
