import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const loader = pathToFileURL(`${root}/scripts/ts-loader.mjs`).href;

export interface ClientRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ClientChoices {
  /** STORE_API_URL. */
  url?: string;
  /** STORE_API_KEY. */
  key?: string;
  env?: Record<string, string>;
  stdin?: string | Buffer;
  /** Leaves standard input to the test. */
  keepStdinOpen?: boolean;
  /** Further options for Node.js. */
  node?: string[];
}

export interface ClientProcess {
  child: ChildProcessWithoutNullStreams;
  stdout: () => string;
  stderr: () => string;
  done: Promise<ClientRun>;
}

/** The client as a running process of its own. */
export function startClient(args: string[], choices: ClientChoices = {}): ClientProcess {
  return start([process.execPath, ...nodeArguments(args, choices)], choices);
}

/** The client in a pipeline, which ends with the client's own exit code once both have ended. */
export function startPiped(args: string[], reader: string, choices: ClientChoices = {}): ClientProcess {
  const pipe = `set -o pipefail; "$0" "$@" | ${reader}`;
  return start(['bash', '--norc', '-c', pipe, process.execPath, ...nodeArguments(args, choices)], choices);
}

function nodeArguments(args: string[], { node = [] }: ClientChoices): string[] {
  return ['--import', loader, ...node, 'packages/client/src/main.ts', ...args];
}

function start(
  [command = '', ...args]: string[],
  { url, key, env = {}, stdin, keepStdinOpen = false }: ClientChoices,
): ClientProcess {
  const child = spawn(command, args, {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      ...(url === undefined ? {} : { STORE_API_URL: url }),
      ...(key === undefined ? {} : { STORE_API_KEY: key }),
      ...env,
    },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined);
  if (!keepStdinOpen) child.stdin.end(stdin);
  const done = once(child, 'close').then(([code]: unknown[]) => ({ code: code as number | null, stdout, stderr }));
  return { child, stdout: () => stdout, stderr: () => stderr, done };
}

/** Runs the client until it ends. */
export function runClient(args: string[], choices?: ClientChoices): Promise<ClientRun> {
  return startClient(args, choices).done;
}

/** The entries that a run printed as a JSON array. */
export function entriesOf({ stdout }: ClientRun): Record<string, unknown>[] {
  return JSON.parse(stdout) as Record<string, unknown>[];
}
