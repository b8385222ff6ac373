// Lives through days of a shop from a seed: `npm run simulate -- --seed 7 --days 1`. simulation/README.md says what for.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';

// With one thread, files are read and passwords are hashed in the order in which that was asked for. Node.js has its threads
// before it reads this file, so the simulator runs in a process of its own.
const { argv, env, execArgv, execPath } = process;
if (env.UV_THREADPOOL_SIZE === '1') {
  await import('./ts-loader.mjs');
  const { mutant } = parseArgs({ options: { mutant: { type: 'string' } }, strict: false }).values;
  if (mutant !== undefined) {
    const { plant } = await import('../simulation/mutants.ts');
    try {
      plant(mutant);
    } catch ({ message }) {
      console.error(message);
      process.exit(2);
    }
  }
  await import('../simulation/main.ts');
} else {
  const child = spawn(execPath, [...execArgv, ...argv.slice(1)], {
    env: { ...env, UV_THREADPOOL_SIZE: '1' },
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
