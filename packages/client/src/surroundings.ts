import type { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';

export interface OutputStream extends EventEmitter {
  isTTY?: boolean;
  columns?: number;
  write(text: string | Uint8Array): boolean;
}

/** The surroundings of a run of the client: those of the process, or of a test. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  stdin: Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };
  stdout: OutputStream;
  stderr: Pick<OutputStream, 'write'>;
  /** Ends the client once nobody reads its output any more, even if nothing is written. */
  watchReader: () => Promise<void>;
  /** Calls a listener on Ctrl-C, before the client ends; with `lasts` the command then ends by itself. */
  onInterrupt: (listener: () => void, options?: { lasts: boolean }) => void;
}
