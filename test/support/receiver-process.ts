import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from './receiver.js';

const script = fileURLToPath(new URL('../../scripts/demo-receiver.mjs', import.meta.url));

export interface ReceiverProcess {
  url: string;
  /** Its output so far. */
  output(): string;
  /** Waits until it has printed this. */
  printed(text: string | RegExp): Promise<void>;
  stop(): Promise<void>;
}

/** The demo's receiver as a process of its own, on a free port. */
export async function startReceiverProcess(...options: string[]): Promise<ReceiverProcess> {
  const child = spawn(process.execPath, [script, '--port', '0', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const printed = (text: string | RegExp): Promise<void> =>
    until(() => new RegExp(text).test(output), `"${String(text)}" in: ${output}`);
  await printed('listens on');
  return {
    url: /http:\S+\/hook/.exec(output)?.[0] ?? '',
    output: () => output,
    printed,
    stop: async () => {
      child.kill();
      await exited;
    },
  };
}
