import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { exitCodes, Failure } from '../failure.js';
import { harmlessLine } from '../output/harmless.js';
import type { Surroundings } from '../surroundings.js';

/** Asks the user on the terminal; the questions go to standard error. */
export class Prompt {
  constructor(private readonly surroundings: Surroundings) {}

  get isPossible(): boolean {
    return this.surroundings.stdin.isTTY === true;
  }

  line(question: string): Promise<string> {
    return this.ask(question, false);
  }

  /** Hides the answer. */
  secret(question: string): Promise<string> {
    return this.ask(question, true);
  }

  private async ask(question: string, isSecret: boolean): Promise<string> {
    const { stdin, stderr } = this.surroundings;
    stderr.write(harmlessLine(question));
    const write = (chunk: Buffer, _encoding: string, done: () => void) => {
      if (!isSecret) stderr.write(chunk.toString());
      done();
    };
    const reader = createInterface({ input: stdin, output: new Writable({ write }), terminal: true, historySize: 0 });
    try {
      return await new Promise<string>((resolve, reject) => {
        reader.once('line', (line) => resolve(line.trim()));
        reader.once('SIGINT', () => reject(new Failure('Interrupted', exitCodes.interrupted)));
        reader.once('close', () => reject(new Failure('There was no answer', exitCodes.usage)));
      });
    } finally {
      reader.close();
      if (isSecret) stderr.write('\n');
    }
  }
}

/** The first line of standard input, if that is not a terminal. */
export async function firstLine({ stdin }: Surroundings): Promise<string> {
  for await (const line of createInterface({ input: stdin })) return line.trim();
  return '';
}
