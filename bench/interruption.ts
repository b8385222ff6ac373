import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

type Step = () => unknown;

/** The exit codes of a program that a signal interrupts, as shells give them. */
const codes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** In the order in which they became necessary, which is the reverse of the order in which they are run. */
const steps = new Set<Step>();
let isBreakingOff = false;

async function breakOff(code: number): Promise<void> {
  if (isBreakingOff) return;
  isBreakingOff = true;
  for (const step of [...steps].reverse()) {
    try {
      await step();
    } catch {
      // The other steps have all the more to do.
    }
  }
  process.exit(code);
}

const listeners = Object.entries(codes).map(([signal, code]) => ({ signal, listener: () => void breakOff(code) }));

/** Has `step` run where a signal interrupts the benchmark, before earlier ones; returns how to forget it. */
export function whenInterrupted(step: Step): () => void {
  if (steps.size === 0) for (const { signal, listener } of listeners) process.on(signal, listener);
  steps.add(step);
  return () => {
    steps.delete(step);
    if (steps.size === 0) for (const { signal, listener } of listeners) process.off(signal, listener);
  };
}

/** Spawns a program that an interrupted benchmark ends, by `ending`. Throws once it is being interrupted. */
export function spawnChild(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
  ending: NodeJS.Signals = 'SIGKILL',
): ChildProcess {
  if (isBreakingOff) throw new Error('The benchmark is interrupted');
  const child = spawn(program, args, options);
  const forget = whenInterrupted(() => endChild(child, ending));
  child.once('exit', forget);
  child.once('error', forget);
  return child;
}

export function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Sends a signal to a program, and waits for its end; does nothing where that has come. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!isRunning(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
