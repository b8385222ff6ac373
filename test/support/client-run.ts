import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { run } from '../../packages/client/src/run.js';
import type { ClientRun } from './client-process.js';

export interface RunChoices {
  /** STORE_API_URL. */
  url?: string;
  /** STORE_API_KEY. */
  key?: string;
  env?: Record<string, string>;
  /** What is piped in. */
  stdin?: string | Buffer;
  /** The terminal's width; without it, the output is not a terminal. */
  columns?: number;
  /** What is typed at the terminal, by the end of the question. */
  answers?: Record<string, string>;
}

/** Stands in for standard output or error: remembers what was written. */
class Written extends EventEmitter {
  text = '';
  readonly isTTY: boolean;

  constructor(
    readonly columns: number | undefined,
    private readonly heard: (text: string) => void = () => undefined,
  ) {
    super();
    this.isTTY = columns !== undefined;
  }

  write(written: string | Uint8Array): boolean {
    const text = typeof written === 'string' ? written : new TextDecoder().decode(written);
    this.text += text;
    this.heard(text);
    return true;
  }
}

/** Runs the client within this process until it ends: like `runClient` of `client-process.ts`, and much faster. */
export async function runClient(
  args: string[],
  { url, key, env = {}, stdin, columns, answers }: RunChoices = {},
): Promise<ClientRun> {
  const input = Object.assign(new PassThrough(), answers ? { isTTY: true, setRawMode: () => undefined } : {});
  if (!answers) input.end(stdin ?? '');
  const stdout = new Written(columns);
  const stderr = new Written(undefined, (text) => {
    const answer = Object.entries(answers ?? {}).find(([question]) => text.endsWith(question))?.[1];
    if (answer !== undefined) setImmediate(() => input.write(`${answer}\r`));
  });
  const code = await run(args, {
    env: {
      ...(url === undefined ? {} : { STORE_API_URL: url }),
      ...(key === undefined ? {} : { STORE_API_KEY: key }),
      ...env,
    },
    platform: process.platform,
    stdin: input,
    stdout,
    stderr,
    watchReader: () => Promise.resolve(),
    onInterrupt: () => undefined,
  });
  input.destroy();
  return { code, stdout: stdout.text, stderr: stderr.text };
}
