export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  scanFailed: 5,
  /** As a shell has it for a process that Ctrl-C ended: 128 and the signal's number. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command: a sentence for the person, an exit code for the script. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode = exitCodes.failed,
    /** Whether it may be gone in a moment: a network, or a service that is starting anew. */
    readonly isPassing = false,
  ) {
    super(message);
  }
}
