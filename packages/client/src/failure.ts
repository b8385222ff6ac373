export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  scanFailed: 5,
  gateClosed: 6,
  /** A tool did not run, or not to its end: its report proves nothing. */
  notRun: 7,
  /** As in a shell for a process ended by Ctrl-C: 128 plus the signal's number. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The answer by which the service refused a request. */
export interface Refusal {
  status: number;
  code?: string | undefined;
  retryAfterSeconds?: number | undefined;
}

/** Ends a command with a sentence for people and an exit code for scripts. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode = exitCodes.failed,
    /** Whether it may be temporary: a network failure, or a restart of the service. */
    readonly isPassing = false,
    readonly refusal?: Refusal,
  ) {
    super(message);
  }
}
