export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  scanFailed: 5,
  gateClosed: 6,
  /** As in a shell for a process that Ctrl-C ended: 128 plus the signal's number. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with a sentence for people and an exit code for scripts. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode = exitCodes.failed,
    /** Whether it may pass: a network failure, or a restart of the service. */
    readonly isPassing = false,
  ) {
    super(message);
  }
}

/** A change that was not made, since what it was to change was changed meanwhile. */
export class ChangedMeanwhile extends Failure {}
