import { constants } from 'node:os';

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** What shells add to the number of a signal that ended a process. */
const exitBase = 128;

function end(signal: NodeJS.Signals): void {
  process.exit(exitBase + constants.signals[signal]);
}

/**
 * Ends the process on a signal until `leaveSignals`: the first one of a container, unlike others, ignores what nobody listens
 * for (kill(2)), such as a stop while it waits for the database or migrates.
 */
export function endOnSignal(): void {
  for (const signal of signals) process.on(signal, end);
}

/** For code that listens to them from now on. */
export function leaveSignals(): void {
  for (const signal of signals) process.off(signal, end);
}
